// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "accelerators/tiled/timing/path_config.h"
#include "rules/burst.h"
#include "timing/intake.h"
#include "timing/queue.h"

namespace fansim::tiled {

// A burst of a manager.
struct RunBurst {
  std::int32_t beats = 0;
  std::int16_t lane = 0;  // where in a beat of the port it begins
  bool ends_run = false, ends_tile = false;
};

// The bursts that a manager makes of its runs. Which one comes next depends on the runs alone, never on time.
class RunBursts : public timing::Intake<RunBurst> {
 public:
  explicit RunBursts(const PathConfig& config) : config_(config) {}

  void push_run(std::uint32_t address, int beats, bool ends_tile) {
    while (beats > 0) {
      const int count = rules::burst_beats(address, beats, config_.axi), lane = config_.lane(address);
      const bool ends_run = (beats -= count) == 0;
      push({count, static_cast<std::int16_t>(lane), ends_run, ends_run && ends_tile});
      if (!config_.direct())
        to_ask_.push({address - static_cast<std::uint32_t>(lane), config_.port_beats(lane, count)});
      address += static_cast<std::uint32_t>(count * config_.manager_bytes);
    }
  }

  // The address of the port's next burst, of so many beats. A memory that need not know it gets none.
  std::uint32_t port_address(int beats) {
    if (config_.direct()) return 0;
    ToAsk& next = to_ask_.front();
    const std::uint32_t address = next.address;
    next.address += static_cast<std::uint32_t>(beats * config_.port_bytes);
    if ((next.beats -= beats) == 0) to_ask_.pop();
    return address;
  }

 private:
  // A burst as the port sees it.
  struct ToAsk {
    std::uint32_t address = 0;
    int beats = 0;  // to come
  };

  PathConfig config_;
  timing::Queue<ToAsk> to_ask_;
};

}  // namespace fansim::tiled

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "accelerators/tiled/paths/path_config.h"
#include "rules/burst.h"
#include "timing/queue.h"

namespace fansim::tiled {

// The bursts that a manager makes of its runs. Which comes next depends on the runs alone, never on time.
class BurstScript {
 public:
  struct Burst {
    int lane = 0;  // where in a beat of the port it begins
    int beats = 0;
    bool ends_run = false, ends_tile = false;
    std::uint32_t address = 0;

    // All but the address.
    std::uint64_t word() const {
      return static_cast<std::uint64_t>(lane << 16 | beats << 2 | ends_tile << 1 | static_cast<int>(ends_run));
    }
  };

  explicit BurstScript(const PathConfig& config) : config_(config) {}

  void push(std::uint32_t address, int beats, bool ends_tile) { runs_.push({address, beats, ends_tile}); }

  // The i-th burst from now on.
  const Burst& operator[](std::size_t i) {
    while (next_.size() <= i) cut();
    return next_[i];
  }
  Burst take() {
    const Burst burst = (*this)[0];
    take(1);
    return burst;
  }
  // So many, which were looked at.
  void take(std::size_t bursts) {
    for (; bursts > 0; --bursts) {
      const Burst burst = next_.pop();
      parts_.push(
          {burst.address - static_cast<std::uint32_t>(burst.lane), config_.port_beats(burst.lane, burst.beats)});
    }
  }

  // The address of the port's next burst, of so many beats, that the bursts taken become.
  std::uint32_t part(int beats) {
    Part& part = parts_.front();
    const std::uint32_t address = part.address;
    part.address += static_cast<std::uint32_t>(beats * config_.port_bytes);
    if ((part.beats -= beats) == 0) parts_.pop();
    return address;
  }

 private:
  struct Run {
    std::uint32_t address = 0;
    int beats = 0;
    bool ends_tile = false;
  };
  struct Part {
    std::uint32_t address = 0;
    int beats = 0;  // of the port, to come
  };

  // A burst off the first run.
  void cut() {
    Run& run = runs_.front();
    const int beats = rules::burst_beats(run.address, run.beats, config_.axi);
    run.beats -= beats;
    const bool ends_run = run.beats == 0;
    next_.push({config_.lane(run.address), beats, ends_run, ends_run && run.ends_tile, run.address});
    run.address += static_cast<std::uint32_t>(beats * config_.manager_bytes);
    if (ends_run) runs_.pop();
  }

  PathConfig config_;
  timing::Queue<Run> runs_;
  timing::Queue<Burst> next_;  // cut off
  timing::Queue<Part> parts_;
};

}  // namespace fansim::tiled

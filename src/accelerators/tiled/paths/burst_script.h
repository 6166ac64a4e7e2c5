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

    std::uint64_t word() const {
      return static_cast<std::uint64_t>(lane << 16 | beats << 2 | ends_tile << 1 | static_cast<int>(ends_run));
    }
    static Burst of(std::uint64_t word) {
      return {static_cast<int>(word >> 16), static_cast<int>(word >> 2 & 0x3FFF), (word & 1) != 0, (word & 2) != 0};
    }
  };

  explicit BurstScript(const PathConfig& config) : config_(config) {}

  void push(std::uint32_t address, int beats, bool ends_tile) {
    while (beats > 0) {
      const int count = rules::burst_beats(address, beats, config_.axi);
      const bool ends_run = (beats -= count) == 0;
      bursts_.push({Burst{config_.lane(address), count, ends_run, ends_run && ends_tile}.word(), address});
      address += static_cast<std::uint32_t>(count * config_.manager_bytes);
    }
  }

  // Of the i-th burst from now on.
  std::uint64_t word(std::size_t i) const { return bursts_[i].word; }
  Burst take() {
    const Burst burst = Burst::of(word(0));
    take(1);
    return burst;
  }
  void take(std::size_t bursts) {
    if (config_.direct()) return bursts_.drop(bursts);
    for (; bursts > 0; --bursts) {
      const Cut cut = bursts_.pop();
      const Burst burst = Burst::of(cut.word);
      parts_.push({cut.address - static_cast<std::uint32_t>(burst.lane), config_.port_beats(burst.lane, burst.beats)});
    }
  }

  // The address of the port's next burst, of so many beats, that the bursts taken become; where nobody asks, none.
  std::uint32_t part(int beats) {
    if (config_.direct()) return 0;
    Part& part = parts_.front();
    const std::uint32_t address = part.address;
    part.address += static_cast<std::uint32_t>(beats * config_.port_bytes);
    if ((part.beats -= beats) == 0) parts_.pop();
    return address;
  }

 private:
  struct Cut {
    std::uint64_t word = 0;  // of the burst
    std::uint32_t address = 0;
  };
  struct Part {
    std::uint32_t address = 0;
    int beats = 0;  // of the port, to come
  };

  PathConfig config_;
  timing::Queue<Cut> bursts_;
  timing::Queue<Part> parts_;
};

}  // namespace fansim::tiled

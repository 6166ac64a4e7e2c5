// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "accelerators/tiled/paths/burst_script.h"
#include "accelerators/tiled/paths/read_beats.h"

namespace fansim::tiled {

// What a path that reads asks of the runs pushed into it: the next burst, how the next run is decoded. What it asked
// stands in a log, and is the same for every path that does the same.
class ReadScript {
 public:
  explicit ReadScript(const PathConfig& config) : bursts_(config) {}

  void push(std::uint32_t address, int beats, bool ends_tile, const Decoding& decoding) {
    bursts_.push(address, beats, ends_tile);
    runs_.push(decoding);
  }
  BurstScript::Burst take_burst() {
    const BurstScript::Burst burst = bursts_.take();
    log_.push_back(burst.word());
    return burst;
  }
  Decoding decode() {
    log_.push_back(kDecoding | runs_.front().word());
    return runs_.pop();
  }

  // What was asked since it was cleared.
  std::vector<std::uint64_t>& log() { return log_; }
  // As if that were asked; false: the answers would be others.
  bool again(const std::uint64_t* log, std::size_t count) {
    std::size_t run = 0, burst = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const bool decoding = (log[i] & kDecoding) != 0;
      if ((decoding ? kDecoding | runs_[run++].word() : bursts_[burst++].word()) != log[i]) return false;
    }
    for (std::size_t i = 0; i < count; ++i)
      if ((log[i] & kDecoding) != 0)
        runs_.pop();
      else
        bursts_.take();
    return true;
  }
  std::uint32_t part(int beats) { return bursts_.part(beats); }

 private:
  static constexpr std::uint64_t kDecoding = std::uint64_t{1} << 63;

  BurstScript bursts_;
  timing::Queue<Decoding> runs_;  // not decoded
  std::vector<std::uint64_t> log_;
};

}  // namespace fansim::tiled

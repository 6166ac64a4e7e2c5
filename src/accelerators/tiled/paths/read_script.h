// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "accelerators/tiled/paths/burst_script.h"
#include "accelerators/tiled/paths/read_beats.h"

namespace fansim::tiled {

// What a path that reads asks of the runs of its tiles: whether the next one ends its tile, how the next one is
// decoded, the next burst. What it asked stands in a log, and is the same for every path that does the same.
class ReadScript {
 public:
  explicit ReadScript(const PathConfig& config) : bursts_(config) {}

  void push(std::uint32_t address, int beats, bool ends_tile, const Decoding& decoding) {
    bursts_.push(address, beats, ends_tile);
    runs_.push({decoding, ends_tile, kDecoding | decoding.word(), kIssue | static_cast<std::uint64_t>(ends_tile)});
  }
  // The next run is issued; whether it ends its tile.
  bool issue() {
    const Run& run = runs_[issued_++];
    log_.push_back(run.issue_word);
    return run.ends_tile;
  }
  BurstScript::Burst take_burst() {
    log_.push_back(bursts_.word(0));
    return bursts_.take();
  }
  Decoding decode() {
    log_.push_back(runs_.front().decoding_word);
    --issued_;
    return runs_.pop().decoding;
  }

  // What was asked since it was cleared.
  std::vector<std::uint64_t>& log() { return log_; }
  // As if that were asked; false: the answers would be others.
  bool again(const std::uint64_t* log, std::size_t count) {
    std::size_t burst = 0, decoded = 0, issued = issued_;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t word = (log[i] & kDecoding) != 0 ? runs_[decoded++].decoding_word
                                 : (log[i] & kIssue) != 0  ? runs_[issued++].issue_word
                                                           : bursts_.word(burst++);
      if (word != log[i]) return false;
    }
    bursts_.take(burst);
    runs_.drop(decoded);
    issued_ = issued - decoded;
    return true;
  }
  std::uint32_t part(int beats) { return bursts_.part(beats); }

 private:
  struct Run {
    Decoding decoding;
    bool ends_tile = false;
    std::uint64_t decoding_word = 0, issue_word = 0;
  };
  static constexpr std::uint64_t kDecoding = std::uint64_t{1} << 63, kIssue = std::uint64_t{1} << 62;

  BurstScript bursts_;
  timing::Queue<Run> runs_;  // not decoded
  std::size_t issued_ = 0;   // so many of them
  std::vector<std::uint64_t> log_;
};

}  // namespace fansim::tiled

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
    runs_.push({decoding, ends_tile});
  }
  // The next run is issued; whether it ends its tile.
  bool issue() {
    const bool ends_tile = runs_[issued_++].ends_tile;
    log_.push_back(issue_word(ends_tile));
    return ends_tile;
  }
  BurstScript::Burst take_burst() {
    const BurstScript::Burst burst = bursts_.take();
    log_.push_back(burst.word());
    return burst;
  }
  Decoding decode() {
    log_.push_back(decoding_word(runs_.front()));
    --issued_;
    return runs_.pop().decoding;
  }

  // What was asked since it was cleared.
  std::vector<std::uint64_t>& log() { return log_; }
  // As if that were asked; false: the answers would be others.
  bool again(const std::uint64_t* log, std::size_t count) {
    std::size_t burst = 0, decoded = 0, issued = issued_;
    for (std::size_t i = 0; i < count; ++i) {
      std::uint64_t word;
      if ((log[i] & kDecoding) != 0)
        word = decoding_word(runs_[decoded++]);
      else if ((log[i] & kIssue) != 0)
        word = issue_word(runs_[issued++].ends_tile);
      else
        word = bursts_[burst++].word();
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
  };
  static constexpr std::uint64_t kDecoding = std::uint64_t{1} << 63, kIssue = std::uint64_t{1} << 62;
  static std::uint64_t decoding_word(const Run& run) { return kDecoding | run.decoding.word(); }
  static std::uint64_t issue_word(bool ends_tile) { return kIssue | static_cast<std::uint64_t>(ends_tile); }

  BurstScript bursts_;
  timing::Queue<Run> runs_;  // not decoded
  std::size_t issued_ = 0;   // so many of them
  std::vector<std::uint64_t> log_;
};

}  // namespace fansim::tiled

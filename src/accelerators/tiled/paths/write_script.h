// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "accelerators/tiled/paths/burst_script.h"

namespace fansim::tiled {

// What a path that writes asks of the runs of its tiles: whether the next one ends its tile, the next burst, and
// whether a beat ends its run. What it asked stands in a log, and is the same for every path that does the same.
class WriteScript {
 public:
  // Beats of a run: its last ones, or others.
  struct Beats {
    int beats = 0;
    bool ends_run = false, ends_tile = false;

    std::uint64_t word() const {
      return kBeats | static_cast<std::uint64_t>(beats) << 2 | static_cast<std::uint64_t>(ends_tile << 1 | ends_run);
    }
  };

  explicit WriteScript(const PathConfig& config) : bursts_(config) {}

  void push(std::uint32_t address, int beats, bool ends_tile) {
    bursts_.push(address, beats, ends_tile);
    runs_.push({beats, true, ends_tile});
  }
  // The next run is issued; whether it ends its tile.
  bool issue() {
    end_beats();
    const bool ends_tile = runs_[issued_++].ends_tile;
    log_.push_back(issue_word(ends_tile));
    return ends_tile;
  }
  BurstScript::Burst take_burst() {
    end_beats();
    log_.push_back(bursts_.word(0));
    return bursts_.take();
  }
  // A beat that the encoder takes.
  Beats encode() {
    const Beats beat = next({}, 1);
    encode(beat);
    encoded_ = {encoded_.beats + 1, beat.ends_run, beat.ends_tile};
    if (beat.ends_run) end_beats();
    return beat;
  }

  // What was asked since it was cleared.
  std::vector<std::uint64_t>& log() {
    end_beats();
    return log_;
  }
  // As if that were asked; false: the answers would be others.
  bool again(const std::uint64_t* log, std::size_t count) {
    Place encoded;
    std::size_t burst = 0, issued = issued_;
    for (std::size_t i = 0; i < count; ++i) {
      if ((log[i] & kBeats) != 0) {
        const Beats beats = next(encoded, beats_of(log[i]));
        if (beats.word() != log[i]) return false;
        encoded = beats.ends_run ? Place{encoded.run + 1, 0} : Place{encoded.run, encoded.beats + beats.beats};
      } else if (log[i] != ((log[i] & kIssue) != 0 ? issue_word(runs_[issued++].ends_tile) : bursts_.word(burst++))) {
        return false;
      }
    }
    bursts_.take(burst);
    runs_.drop(encoded.run);
    if (encoded.beats > 0) runs_.front().beats -= encoded.beats;
    issued_ = issued - encoded.run;
    return true;
  }
  std::uint32_t part(int beats) { return bursts_.part(beats); }

 private:
  static constexpr std::uint64_t kBeats = std::uint64_t{1} << 63, kIssue = std::uint64_t{1} << 62;
  static std::uint64_t issue_word(bool ends_tile) { return kIssue | static_cast<std::uint64_t>(ends_tile); }
  static int beats_of(std::uint64_t word) { return static_cast<int>(word >> 2 & 0x7FFFFFFF); }

  // The run, of those that are not encoded whole, and the beats of it that are.
  struct Place {
    std::size_t run = 0;
    int beats = 0;
  };
  Beats next(const Place& at, int beats) const {
    const Beats& run = runs_[at.run];
    const int left = run.beats - at.beats;
    return {std::min(beats, left), left == beats, left == beats && run.ends_tile};
  }
  void encode(const Beats& beats) {
    if (beats.ends_run)
      runs_.pop(), --issued_;
    else
      runs_.front().beats -= beats.beats;
  }
  void end_beats() {
    if (encoded_.beats > 0) log_.push_back(encoded_.word());
    encoded_ = {};
  }

  BurstScript bursts_;
  timing::Queue<Beats> runs_;  // not encoded whole
  std::size_t issued_ = 0;     // so many of them
  std::vector<std::uint64_t> log_;
  Beats encoded_;  // not in the log yet
};

}  // namespace fansim::tiled

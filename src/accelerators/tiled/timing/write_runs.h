// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "accelerators/tiled/timing/run_bursts.h"

namespace fansim::tiled {

// The beats of runs as an encoder takes them, one by one.
class ExtentBeats {
 public:
  struct Extent {
    int beats = 0;
    bool ends_tile = false;
  };
  struct Beat {
    bool ends_run = false, ends_tile = false;
  };

  void push(const Extent& run) { runs_.push(run); }
  Beat take() {
    const Extent& run = runs_.next();
    if (++taken_ < run.beats) return {};
    taken_ = 0;
    return {true, runs_.take().ends_tile};
  }
  // Takes and releases so many whole runs, and so many beats of the next, where none are taken.
  void drop(std::size_t runs, int beats) {
    runs_.drop(runs);
    if (beats > 0) runs_.front().beats -= beats;
  }

  // The runs taken whole since the last release, and the beats of the next that were taken; what is left of others.
  const timing::Intake<Extent>& runs() const { return runs_; }
  int taken_beats() const { return taken_; }
  void release() {
    runs_.release();
    if (taken_ > 0) runs_.front().beats -= taken_;
    taken_ = 0;
  }

 private:
  timing::Intake<Extent> runs_;  // without the beats that were released
  int taken_ = 0;                // beats of the first run that is not taken whole
};

// The runs of tiles as a path that writes takes them in: each as it is issued, its bursts, and its beats.
struct WriteRuns {
  explicit WriteRuns(const PathConfig& config) : bursts(config) {}

  void push(std::uint32_t address, int beats, bool ends_tile) {
    issues.push(ends_tile);
    bursts.push_run(address, beats, ends_tile);
    to_encode.push({beats, ends_tile});
  }
  // Nobody asks any more for what was taken.
  void release() {
    issues.release();
    bursts.release();
    to_encode.release();
  }

  timing::Intake<bool> issues;  // whether the run ends its tile
  RunBursts bursts;
  ExtentBeats to_encode;
};

}  // namespace fansim::tiled

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "accelerators/tiled/timing/run_bursts.h"

namespace fansim::tiled {

// How a decoder takes a run of beats.
struct Decoding {
  // Scattered: a value per cycle, `values` of them after the first `skip` of the first beat.
  bool scattered = false;
  int values = 0, skip = 0, per_beat = 1;
};

// The runs of tiles as a path that reads takes them in: each as it is issued, its bursts, and how it is decoded.
struct ReadRuns {
  explicit ReadRuns(const PathConfig& config) : bursts(config) {}

  void push(std::uint32_t address, int beats, bool ends_tile, const Decoding& decoding) {
    issues.push(ends_tile);
    bursts.push_run(address, beats, ends_tile);
    decodings.push(decoding);
  }
  // Nobody asks any more for what was taken.
  void release() {
    issues.release();
    bursts.release();
    decodings.release();
  }

  timing::Intake<bool> issues;  // whether the run ends its tile
  RunBursts bursts;
  timing::Intake<Decoding> decodings;
};

}  // namespace fansim::tiled

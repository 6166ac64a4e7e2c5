// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "accelerators/tiled/config/encoding.h"

namespace fansim::tiled {

using contract::ExtentBeat;
using contract::TileWritten;

// Describes a run of a map that is read: the engine whose input store it goes to, and how its codes are extended.
struct MapExtent {
  Extent run;
  int engine = 0;  // Config::kConv...
  bool is_unsigned = false;
  template <class F>
  void wires(F&& f) const {
    run.wires(f);
    f("engine", static_cast<std::uint64_t>(engine), 2);
    f("unsigned", is_unsigned, 1);
  }
};

// Says where the values of a run go in a weight tile's half of the level-1 store, which is [k][ti][to] for convolutions
// and [j][g][ti][to] for the FC engine. Value v goes to first + v mod inner * inner_stride + v / inner * outer_stride.
struct Scatter {
  int first = 0;
  int inner = std::numeric_limits<int>::max();
  int inner_stride = 1;
  int outer_stride = 0;
  bool dense() const { return inner_stride == 1 && inner == std::numeric_limits<int>::max(); }
  int index(int value) const { return first + value % inner * inner_stride + value / inner * outer_stride; }
  // Returns the largest index of `values` values.
  int furthest(int values) const {
    return first + (std::min(values, inner) - 1) * inner_stride + (values - 1) / inner * outer_stride;
  }
};

// Describes a run of weights, in rows that each begin at a beat, or a run of parameters, whose values are bytes.
struct WeightExtent {
  Extent run;
  int engine = 0;  // Config::kConv...
  int row = 0;     // values of a row; the run's `skip` applies to its first row
  bool parameters = false;
  Scatter scatter;
  template <class F>
  void wires(F&& f) const {
    run.wires(f);
    f("engine", static_cast<std::uint64_t>(engine), 2);
    f("parameters", parameters, 1);
  }
};

// Returns whether the run has exactly the beats that its values take.
inline bool whole(const Extent& run, const Encoding& e) {
  return run.values > 0 && run.skip >= 0 && run.skip < e.per_beat() && run.beats == e.beats(run.skip + run.values);
}
inline bool whole(const WeightExtent& weights, const Encoding& e) {
  const Extent& run = weights.run;
  if (weights.row <= 0 || run.values <= 0 || run.values % weights.row != 0) return false;
  const std::int64_t more = run.values / weights.row - 1;
  return run.skip >= 0 && run.skip < e.per_beat() &&
         run.beats == e.beats(run.skip + weights.row) + more * e.beats(weights.row);
}

}  // namespace fansim::tiled

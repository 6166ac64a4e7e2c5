// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "accelerators/stream/compile/convolution.h"
#include "accelerators/stream/compile/tiling.h"
#include "accelerators/stream/config/config.h"

namespace fansim::stream {

// Holds the bytes that a tiling reads from DDR, and the number of its jobs.
struct Traffic {
  std::int64_t bytes = 0;
  std::int64_t jobs = 0;
};

// Holds sums over a tiling's subsets. Together with its rows and its order they decide what a tiling needs and reads.
struct Totals {
  int most_groups = 0;  // of one subset
  std::int64_t subsets = 0;
  std::int64_t slices = 0;
  std::int64_t input_groups = 0;  // of each source
  std::int64_t weights = 0;       // sum of Subset::weights()
  std::int64_t most_weights = 0;  // of one subset
  std::int64_t standing = 0;      // output groups of subsets with a single slice, whose weights stay the same
  std::int64_t changing = 0;      // output groups of the other subsets, times their slices
  std::int64_t joints = 0;        // subsets whose first slice is the last one of the subset before

  Totals() = default;
  explicit Totals(const std::vector<Subset>& cut);
  // Adds `times` subsets that differ only in the numbers of their groups.
  void add(const Subset& subset, int times = 1);

 private:
  int last_input_ = -1;  // of the last subset
};

// Computes in closed form what a layer's tilings read: the sum over the jobs of the data that the job before did not
// leave in the buffers.
class Reading {
 public:
  Reading(const Convolution& c, const Config& config);

  // `totals` are those of the tiling's subsets.
  Traffic of(const Tiling& t, const Totals& totals) const;

 private:
  const Convolution& c_;
  std::int64_t weights_;        // bytes of an output group for one input group
  std::int64_t bias_;           // bytes of the whole layer
  bool bias_once_;              // the whole bias fits into half the buffer
  std::int64_t row_bytes_ = 0;  // over all sources
};

Traffic traffic(const Tiling& tiling, const Convolution& convolution, const Config& config);

}  // namespace fansim::stream

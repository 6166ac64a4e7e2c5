// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "accelerators/stream/compile/convolution.h"
#include "accelerators/stream/compile/tiling.h"
#include "accelerators/stream/config/config.h"

namespace fansim::stream {

// Bytes that a tiling reads from DDR, and its jobs.
struct Traffic {
  std::int64_t bytes = 0;
  std::int64_t jobs = 0;
};

// Sums over a tiling's subsets: all that decides what it needs and reads, but for its rows and order.
struct Totals {
  int most_groups = 0;  // of a subset
  std::int64_t subsets = 0;
  std::int64_t slices = 0;
  std::int64_t input_groups = 0;  // of each source
  std::int64_t weights = 0;       // of all, Subset::weights()
  std::int64_t most_weights = 0;  // of a subset
  std::int64_t standing = 0;      // output groups of one input group: no slice changes their weights
  std::int64_t changing = 0;      // the others, times their slices
  std::int64_t joints = 0;        // subsets whose first slice is the last one of the subset before

  Totals() = default;
  explicit Totals(const std::vector<Subset>& cut);
  // So many subsets, each as the one before but for the groups' numbers.
  void add(const Subset& subset, int times = 1);

 private:
  int last_input_ = -1;  // of the last subset
};

// What a layer's tilings read, in closed form: the sum over the jobs of what the job before does not hold already.
class Reading {
 public:
  Reading(const Convolution& c, const Config& config);

  // `totals` are those of its subsets.
  Traffic of(const Tiling& t, const Totals& totals) const;

 private:
  const Convolution& c_;
  std::int64_t weights_;        // bytes of an output group for one input group
  std::int64_t bias_;           // bytes of the layer
  bool bias_once_;              // all of it lies in half the buffer
  std::int64_t row_bytes_ = 0;  // of all sources
};

Traffic traffic(const Tiling& tiling, const Convolution& convolution, const Config& config);

}  // namespace fansim::stream

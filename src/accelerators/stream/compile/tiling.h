// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "accelerators/stream/compile/capacity.h"
#include "accelerators/stream/compile/convolution.h"
#include "accelerators/stream/compile/job.h"
#include "accelerators/stream/config/config.h"

namespace fansim::stream {

// Holds one input-channel group of one source, which is what one job reads.
struct Slice {
  int source, input_group;
};

// Holds output-channel groups that are computed together, and everything that they sum over: the same input groups of
// every source.
struct Subset {
  int first_group, groups;
  int sources;
  int first_input, last_input;
  int kernel_sets = 1;  // one for each source, or one for all

  // Returns the output groups times the input groups for which each has weights.
  std::int64_t weights() const { return std::int64_t{groups} * input_groups() * kernel_sets; }
  int input_groups() const { return last_input - first_input + 1; }
  int slices() const { return sources * input_groups(); }
  Slice slice(int index) const { return {index / input_groups(), first_input + index % input_groups()}; }
  // Returns the number of slices, from this one on, that belong to one source and are neither the first nor the last
  // slice of all; 1 for those two.
  int run(int index) const {
    if (index == 0 || index == slices() - 1) return 1;
    return std::min(input_groups() - index % input_groups(), slices() - 1 - index);
  }
};

enum class WeightHome { fetched, subset_resident, layer_resident };

// Describes how a convolution is cut into jobs. The loops are ordered subset, tile, slice or tile, subset, slice.
struct Tiling {
  int parallel = 1;  // output rows per window
  int rows = 1;      // row groups per job
  int tiles = 1;     // jobs from the first output row to the last
  std::vector<Subset> subsets;
  WeightHome home = WeightHome::fetched;
  bool tiles_outermost = false;

  int tile_rows() const { return rows * parallel; }
};

// Calls visit(tile, subset, index of the first slice, number of slices) for every run of jobs, in order.
template <class Visit>
void for_each_run(const Tiling& tiling, Visit&& visit) {
  const auto slices = [&](int tile, const Subset& subset) {
    for (int slice = 0, run = 0; slice < subset.slices(); slice += run) {
      run = subset.run(slice);
      visit(tile, subset, slice, run);
    }
  };
  if (tiling.tiles_outermost) {
    for (int tile = 0; tile < tiling.tiles; ++tile)
      for (const Subset& subset : tiling.subsets) slices(tile, subset);
  } else {
    for (const Subset& subset : tiling.subsets)
      for (int tile = 0; tile < tiling.tiles; ++tile) slices(tile, subset);
  }
}

// Return the rows of the weight buffer that one output group takes in one job, and the number of output groups.
int weight_rows_per_group(const Convolution& convolution, const ArrayConfig& array);
int output_groups(const Convolution& convolution, const ArrayConfig& array);

// Returns whether the input buffer can hold the rows of the smallest job.
bool holds_rows(const Convolution& convolution, const Config& config);

// Returns the tiling for the configured loop order: the thesis's, or the one that reads the fewest bytes and then has
// the fewest jobs.
compile::Fit<Tiling> choose_tiling(const Convolution& convolution, const Config& config);

}  // namespace fansim::stream

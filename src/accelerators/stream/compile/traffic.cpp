// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/compile/traffic.h"

#include <algorithm>

#include "accelerators/stream/compile/capacity.h"

namespace fansim::stream {

Totals::Totals(const std::vector<Subset>& cut) {
  for (const Subset& subset : cut) add(subset);
}

void Totals::add(const Subset& subset, int times) {
  const std::int64_t own = subset.weights();
  most_groups = std::max(most_groups, subset.groups);
  subsets += times;
  slices += std::int64_t{times} * subset.slices();
  input_groups += std::int64_t{times} * subset.input_groups();
  weights += times * own;
  most_weights = std::max(most_weights, own);
  if (subset.input_groups() * subset.kernel_sets == 1) {
    standing += std::int64_t{times} * subset.groups;
  } else {
    changing += std::int64_t{times} * subset.groups * subset.slices();
  }
  if (subset.sources == 1) {
    if (last_input_ == subset.first_input) ++joints;
    if (subset.last_input == subset.first_input) joints += times - 1;
  }
  last_input_ = subset.last_input;
}

Reading::Reading(const Convolution& c, const Config& config) : c_(c) {
  const Capacity capacity(config);
  weights_ = std::int64_t{weight_rows_per_group(c, config.array)} * capacity.weight_row_bytes;
  bias_ = std::int64_t{config.array.output_channels} * c.requantisation.record_bytes() * output_groups(c, config.array);
  bias_once_ = bias_ <= capacity.bias_bytes;
  for (const Place* source : c.sources) row_bytes_ += source->row_bytes();
}

Traffic Reading::of(const Tiling& t, const Totals& totals) const {
  const int last_rows = c_.rows - (t.tiles - 1) * t.tile_rows();
  const std::int64_t rows = std::int64_t{t.tiles - 1} * c_.rows_read(t.tile_rows()) + c_.rows_read(last_rows);
  // Counts how often a subset begins, and for how many rows a subset finds the last slice of the one before in the
  // buffer.
  const std::int64_t begins = t.tiles_outermost && totals.subsets > 1 ? t.tiles : 1;
  const std::int64_t joined_rows = t.tiles_outermost || t.tiles == 1 ? rows : 0;
  Traffic traffic;
  traffic.jobs = t.tiles * totals.slices;
  traffic.bytes = (rows * totals.input_groups - joined_rows * totals.joints) * row_bytes_;
  traffic.bytes += weights_ * (t.home == WeightHome::fetched ? begins * totals.standing + t.tiles * totals.changing
                                                             : totals.weights);
  traffic.bytes += bias_once_ ? bias_ : begins * bias_;
  return traffic;
}

Traffic traffic(const Tiling& tiling, const Convolution& convolution, const Config& config) {
  return Reading(convolution, config).of(tiling, Totals(tiling.subsets));
}

}  // namespace fansim::stream

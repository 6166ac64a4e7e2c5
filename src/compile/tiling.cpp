// SPDX-License-Identifier: Apache-2.0
#include "compile/tiling.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "compile/text.h"

namespace fansim::compile {

namespace {

using Reason = std::optional<std::string>;

// Output groups next to each other that sum over the same input groups; a set may be cut, but never joined to another.
std::vector<Subset> uniform_sets(const Convolution& c, const arch::ArrayConfig& array) {
  const int filters_per_group = c.kernels.filters / c.kernels.groups;
  const int channels_per_group = c.kernels.channels / c.kernels.groups;
  std::vector<Subset> sets;
  int first_input = -1, last_input = -1;
  for (int group = 0; group < output_groups(c, array); ++group) {
    const int first_filter = group * array.output_channels;
    const int last_filter = std::min(c.kernels.filters, first_filter + array.output_channels) - 1;
    const int first = first_filter / filters_per_group * channels_per_group / array.input_channels;
    const int last = ((last_filter / filters_per_group + 1) * channels_per_group - 1) / array.input_channels;
    if (!sets.empty() && first == first_input && last == last_input) {
      ++sets.back().groups;
      continue;
    }
    first_input = first;
    last_input = last;
    Subset set{group, 1, {}};
    for (int source = 0; source < static_cast<int>(c.sources.size()); ++source)
      for (int input_group = first; input_group <= last; ++input_group) set.slices.push_back({source, input_group});
    sets.push_back(set);
  }
  return sets;
}

std::vector<Subset> cut(const std::vector<Subset>& sets, int most_groups) {
  std::vector<Subset> subsets;
  for (const Subset& set : sets) {
    const int pieces = base::ceil_div(set.groups, most_groups);
    const int each = base::ceil_div(set.groups, pieces);
    for (int first = 0; first < set.groups; first += each)
      subsets.push_back({set.first_group + first, std::min(each, set.groups - first), set.slices});
  }
  return subsets;
}

// The sizes into which n things can be cut evenly, rising.
std::vector<int> even_sizes(int n) {
  std::vector<int> sizes;
  for (int pieces = n; pieces >= 1; --pieces) {
    const int size = base::ceil_div(n, pieces);
    if (sizes.empty() || sizes.back() != size) sizes.push_back(size);
  }
  return sizes;
}

int most_groups(const std::vector<Subset>& subsets) {
  int most = 0;
  for (const Subset& subset : subsets) most = std::max(most, subset.groups);
  return most;
}

int input_groups(const Subset& subset) {
  return subset.slices.back().input_group - subset.slices.front().input_group + 1;
}

Reason over(const std::string& resource, const std::string& need, std::int64_t bytes, std::int64_t limit) {
  if (bytes <= limit) return {};
  return fmt::format("{}: {} need {} B of {}", resource, need, grouped(bytes), grouped(limit));
}

class Search {
 public:
  Search(const Convolution& c, const arch::StreamConfig& config)
      : c_(c), config_(config), capacity_(config), sets_(uniform_sets(c, config.array)) {
    parallel_ = c.pool ? 1 : std::min(config.array.windows_in_parallel(c.kernels.kernel, c.stride), c.rows);
  }

  Fit<Tiling> thesis() const {
    for (int groups = most_groups(sets_); groups >= 1; --groups) {
      Tiling tiling = make(1, groups);
      tiling.home =
          resident_fits(tiling, WeightHome::layer_resident) ? WeightHome::layer_resident : WeightHome::fetched;
      if (!why_not(tiling)) return tiling;
    }
    return Misfit{*why_not(make(1, 1))};
  }

  Fit<Tiling> least_traffic() const {
    std::optional<Tiling> best;
    Traffic least;
    for (const int rows : even_sizes(base::ceil_div(c_.rows, parallel_)))
      for (const int groups : even_sizes(most_groups(sets_))) {
        if (std::int64_t{rows} * groups * c_.columns > accumulators()) break;
        Tiling tiling = make(rows, groups);
        for (const auto& [home, tiles_outermost] : kOrders) {
          tiling.home = home;
          tiling.tiles_outermost = tiles_outermost;
          if ((tiles_outermost && c_.pool) || why_not(tiling)) continue;
          const Traffic t = traffic(tiling, c_, config_);
          if (best && (t.bytes > least.bytes || (t.bytes == least.bytes && t.jobs >= least.jobs))) continue;
          best = tiling;
          least = t;
        }
      }
    if (best) return *best;
    return Misfit{*why_not(make(1, 1))};
  }

 private:
  struct Order {
    WeightHome home;
    bool tiles_outermost;
  };
  static constexpr Order kOrders[] = {{WeightHome::fetched, false},
                                      {WeightHome::fetched, true},
                                      {WeightHome::subset_resident, false},
                                      {WeightHome::layer_resident, false},
                                      {WeightHome::layer_resident, true}};

  int accumulators() const { return config_.array.accumulator_entries(parallel_); }

  Tiling make(int rows, int groups) const {
    Tiling tiling;
    tiling.parallel = parallel_;
    tiling.rows = rows;
    tiling.tiles = base::ceil_div(c_.rows, tiling.tile_rows());
    tiling.subsets = cut(sets_, groups);
    return tiling;
  }

  bool resident_fits(const Tiling& tiling, WeightHome home) const {
    const std::int64_t per_group = weight_rows_per_group(c_, config_.array);
    std::int64_t layer = 0, largest = 0;
    for (const Subset& subset : tiling.subsets) {
      const std::int64_t rows = per_group * subset.groups * input_groups(subset);
      layer += rows;
      largest = std::max(largest, rows);
    }
    return (home == WeightHome::layer_resident ? layer : largest) <= capacity_.resident_rows;
  }

  int most_rows_sent(const Tiling& tiling) const {
    int most = 0;
    for (int row = 0; row < c_.rows; row += tiling.tile_rows())
      most = std::max(most, c_.rows_sent(std::min(c_.rows, row + tiling.tile_rows())) - c_.rows_sent(row));
    return most;
  }

  Reason why_not(const Tiling& tiling) const {
    const int groups = most_groups(tiling.subsets);
    const int word = capacity_.word_bytes;
    if (c_.columns_read() > capacity_.line_columns)
      return fmt::format("line buffer: {} columns of {}", c_.columns_read(), capacity_.line_columns);
    const int rows = c_.rows_read(tiling.tile_rows());
    for (const Place* source : c_.sources)
      if (Reason r = over("input buffer", fmt::format("{} rows of {} words", rows, source->row_words()),
                          std::int64_t{rows} * source->row_bytes(), capacity_.input_bytes / word * word))
        return r;
    const std::int64_t sums = std::int64_t{tiling.rows} * groups * c_.columns;
    if (sums > accumulators())
      return fmt::format("accumulator: {} groups of {} x {} sums need {} of {} entries", groups, tiling.rows,
                         c_.columns, grouped(sums), grouped(accumulators()));
    const std::int64_t weight_rows = std::int64_t{weight_rows_per_group(c_, config_.array)} * groups;
    if (tiling.home == WeightHome::fetched) {
      if (Reason r = over("weight buffer", fmt::format("{} weight sets", weight_rows / config_.array.cols),
                          weight_rows * capacity_.weight_row_bytes,
                          std::int64_t{capacity_.weight_rows} * capacity_.weight_row_bytes))
        return r;
    } else if (!resident_fits(tiling, tiling.home)) {
      return "resident store: the weights do not fit";
    }
    const int channels = groups * config_.array.output_channels;
    if (Reason r = over("bias buffer", fmt::format("{} records", channels),
                        std::int64_t{channels} * c_.requantisation.record_bytes(), capacity_.bias_bytes))
      return r;
    const int sent = most_rows_sent(tiling);
    return over("output buffer", fmt::format("{} channels of {} x {}", channels, sent, c_.columns_sent()),
                std::int64_t{channels} * sent * c_.columns_sent(), capacity_.output_bytes);
  }

  const Convolution& c_;
  const arch::StreamConfig& config_;
  Capacity capacity_;
  std::vector<Subset> sets_;
  int parallel_ = 1;
};

}  // namespace

int weight_rows_per_group(const Convolution& convolution, const arch::ArrayConfig& array) {
  return KernelBlocks(array, convolution.kernels.kernel).sets() * array.cols;
}

int output_groups(const Convolution& convolution, const arch::ArrayConfig& array) {
  return base::ceil_div(convolution.kernels.filters, array.output_channels);
}

Traffic traffic(const Tiling& tiling, const Convolution& convolution, const arch::StreamConfig& config) {
  const Capacity capacity(config);
  const std::int64_t group_bytes =
      std::int64_t{weight_rows_per_group(convolution, config.array)} * capacity.weight_row_bytes;
  const std::int64_t bias_group = config.array.output_channels * convolution.requantisation.record_bytes();
  const std::int64_t bias_layer = bias_group * output_groups(convolution, config.array);
  const bool bias_once = bias_layer <= capacity.bias_bytes;
  Traffic t;
  if (bias_once) t.bytes += bias_layer;
  if (tiling.home != WeightHome::fetched)
    for (const Subset& subset : tiling.subsets) t.bytes += group_bytes * subset.groups * input_groups(subset);
  int last_tile = -1, last_source = -1, last_input = -1;
  const Subset* last_subset = nullptr;
  for_each_job(tiling, [&](int tile, const Subset& subset, const Slice& slice) {
    ++t.jobs;
    const bool new_weights = &subset != last_subset || slice.input_group != last_input;
    if (tile != last_tile || slice.source != last_source || slice.input_group != last_input) {
      const int rows = std::min(tiling.tile_rows(), convolution.rows - tile * tiling.tile_rows());
      t.bytes += std::int64_t{convolution.rows_read(rows)} *
                 convolution.sources[static_cast<std::size_t>(slice.source)]->row_bytes();
    }
    if (new_weights && tiling.home == WeightHome::fetched) t.bytes += group_bytes * subset.groups;
    if (&subset != last_subset && !bias_once) t.bytes += bias_group * subset.groups;
    last_tile = tile;
    last_source = slice.source;
    last_input = slice.input_group;
    last_subset = &subset;
  });
  return t;
}

Fit<Tiling> choose_tiling(const Convolution& convolution, const arch::StreamConfig& config) {
  const Search search(convolution, config);
  return config.schedule.loop_order == arch::LoopOrder::thesis ? search.thesis() : search.least_traffic();
}

}  // namespace fansim::compile

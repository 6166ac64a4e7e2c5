// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/compile/tiling.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "accelerators/stream/compile/traffic.h"
#include "compile/pooling.h"
#include "compile/text.h"

namespace fansim::stream {

namespace {

// Returns sets of adjacent output groups that sum over the same input groups. A set may be cut, but never joined with
// another.
std::vector<Subset> uniform_sets(const Convolution& c, const ArrayConfig& array) {
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
    sets.push_back({group, 1, static_cast<int>(c.sources.size()), first, last, c.kernel_sets()});
  }
  return sets;
}

// Cuts every set evenly into subsets of at most `most_groups` groups. Calls visit(subset, times) once for all adjacent
// subsets of the same size.
template <class Visit>
void for_each_size(const std::vector<Subset>& sets, int most_groups, Visit&& visit) {
  for (const Subset& set : sets) {
    Subset subset = set;
    subset.groups = base::ceil_div(set.groups, base::ceil_div(set.groups, most_groups));
    const int times = set.groups / subset.groups;
    visit(subset, times);
    subset.first_group += times * subset.groups;
    subset.groups = set.groups % subset.groups;
    if (subset.groups > 0) visit(subset, 1);
  }
}

std::vector<Subset> cut(const std::vector<Subset>& sets, int most_groups) {
  std::vector<Subset> subsets;
  for_each_size(sets, most_groups, [&](Subset subset, int times) {
    for (; times > 0; --times, subset.first_group += subset.groups) subsets.push_back(subset);
  });
  return subsets;
}

// Returns the sizes into which n things can be cut evenly, in ascending order.
std::vector<int> even_sizes(int n) {
  std::vector<int> sizes;
  for (int pieces = n; pieces >= 1; pieces = base::ceil_div(n, sizes.back()) - 1)
    sizes.push_back(base::ceil_div(n, pieces));
  return sizes;
}

class Search {
 public:
  Search(const Convolution& c, const Config& config)
      : c_(c),
        config_(config),
        capacity_(config),
        reading_(c, config),
        sets_(uniform_sets(c, config.array)),
        group_rows_(weight_rows_per_group(c, config.array)),
        record_bytes_(c.requantisation.record_bytes()) {
    parallel_ = c.pool ? 1 : std::min(config.array.windows_in_parallel(c.kernels.kernel, c.stride), c.rows);
  }

  compile::Fit<Tiling> thesis() const {
    for (int groups = Totals(sets_).most_groups; groups >= 1; --groups) {
      Candidate candidate(sets_, groups);
      set_rows(candidate, 1, most_rows_sent(1));
      candidate.tiling.home = resident_rows(WeightHome::layer_resident, candidate.totals) <= capacity_.resident_rows
                                  ? WeightHome::layer_resident
                                  : WeightHome::fetched;
      if (!shortage(candidate)) return whole(candidate);
    }
    return misfit();
  }

  compile::Fit<Tiling> least_traffic() const {
    std::vector<Candidate> candidates;
    for (const int groups : even_sizes(Totals(sets_).most_groups)) candidates.emplace_back(sets_, groups);
    std::optional<Candidate> best;
    Traffic least;
    for (const int rows : even_sizes(base::ceil_div(c_.rows, parallel_))) {
      const int sent = most_rows_sent(rows);
      for (Candidate& candidate : candidates) {
        set_rows(candidate, rows, sent);
        if (shortage_before(candidate) || shortage_behind(candidate)) break;  // larger candidates lack the same
        Tiling& tiling = candidate.tiling;
        for (const auto& [home, tiles_outermost] : kOrders) {
          tiling.home = home;
          tiling.tiles_outermost = tiles_outermost;
          if ((tiles_outermost && c_.pool) || shortage_of_weights(candidate)) continue;
          const Traffic t = reading_.of(tiling, candidate.totals);
          if (best && (t.bytes > least.bytes || (t.bytes == least.bytes && t.jobs >= least.jobs))) continue;
          best = candidate;
          least = t;
        }
      }
    }
    if (best) return whole(*best);
    return misfit();
  }

  bool holds_rows() const {
    Tiling smallest;
    smallest.parallel = parallel_;
    return std::all_of(c_.sources.begin(), c_.sources.end(),
                       [&](const Place* source) { return input_bytes(smallest, *source) <= input_capacity(); });
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

  struct Candidate {
    Candidate(const std::vector<Subset>& sets, int groups) : most_groups(groups) {
      for_each_size(sets, groups, [this](const Subset& subset, int times) { totals.add(subset, times); });
    }
    int most_groups;
    Totals totals;
    Tiling tiling;      // without its subsets
    int rows_sent = 0;  // most rows that a job sends
  };

  Tiling whole(const Candidate& candidate) const {
    Tiling tiling = candidate.tiling;
    tiling.subsets = cut(sets_, candidate.most_groups);
    return tiling;
  }

  void set_rows(Candidate& candidate, int rows, int sent) const {
    Tiling& tiling = candidate.tiling;
    tiling.parallel = parallel_;
    tiling.rows = rows;
    tiling.tiles = base::ceil_div(c_.rows, tiling.tile_rows());
    candidate.rows_sent = sent;
  }

  int accumulators() const { return config_.array.accumulator_entries(parallel_); }
  std::int64_t sums(int rows, const Totals& totals) const {
    return std::int64_t{rows} * totals.most_groups * c_.columns;
  }
  std::int64_t resident_rows(WeightHome home, const Totals& totals) const {
    return group_rows_ * (home == WeightHome::layer_resident ? totals.weights : totals.most_weights);
  }

  int most_rows_sent(int rows) const {
    const int tile_rows = rows * parallel_;
    if (!c_.pool) return std::min(tile_rows, c_.rows);
    int most = 0;
    for (int row = 0; row < c_.rows; row += tile_rows)
      most = std::max(most, c_.rows_sent(std::min(c_.rows, row + tile_rows)) - c_.rows_sent(row));
    return most;
  }

  // Lists what a tiling needs, in the order in which it is checked.
  enum class Need {
    line_buffer,
    pool_kernel,
    pool_lines,
    pool_words,
    input_buffer,
    accumulator,
    resident_store,
    weight_buffer,
    bias_buffer,
    output_buffer
  };

  // Returns why not even the smallest tiling fits.
  compile::Misfit misfit() const {
    Candidate smallest(sets_, 1);
    set_rows(smallest, 1, most_rows_sent(1));
    const std::optional<Need> need = shortage(smallest);
    return {need ? reason(smallest, *need) : ""};
  }

  std::int64_t input_capacity() const { return capacity_.input_bytes / capacity_.word_bytes * capacity_.word_bytes; }
  std::int64_t input_bytes(const Tiling& tiling, const Place& source) const {
    return std::int64_t{c_.rows_read(tiling.tile_rows())} * source.row_bytes();
  }
  std::int64_t weight_rows(const Candidate& candidate) const { return group_rows_ * candidate.totals.most_groups; }
  int open_windows() const { return compile::open_windows(c_.pool->kernel, c_.pool->stride, c_.pool->rows); }
  std::int64_t pool_words(const Candidate& candidate) const {
    return std::int64_t{candidate.totals.most_groups} * c_.pool->columns;
  }
  int channels(const Candidate& candidate) const {
    return candidate.totals.most_groups * config_.array.output_channels;
  }
  std::int64_t bias_bytes(const Candidate& candidate) const {
    return std::int64_t{channels(candidate)} * record_bytes_;
  }
  std::int64_t output_bytes(const Candidate& candidate) const {
    return std::int64_t{channels(candidate)} * config_.array.value_bytes() * candidate.rows_sent * c_.columns_sent();
  }

  // Returns the first resource that is too small; none: the tiling fits.
  std::optional<Need> shortage(const Candidate& candidate) const {
    if (const auto need = shortage_before(candidate)) return need;
    if (const auto need = shortage_of_weights(candidate)) return need;
    return shortage_behind(candidate);
  }

  // Checks the resources that come before the weights in the list. Like those of shortage_behind() they do not depend
  // on the loop order.
  std::optional<Need> shortage_before(const Candidate& candidate) const {
    const Tiling& tiling = candidate.tiling;
    if (c_.columns_read() > capacity_.line_columns) return Need::line_buffer;
    if (c_.pool) {
      if (c_.pool->kernel > config_.pooling.kernel) return Need::pool_kernel;
      if (open_windows() > config_.pooling.lines) return Need::pool_lines;
      if (pool_words(candidate) > config_.pooling.line_words) return Need::pool_words;
    }
    for (const Place* source : c_.sources)
      if (input_bytes(tiling, *source) > input_capacity()) return Need::input_buffer;
    if (sums(tiling.rows, candidate.totals) > accumulators()) return Need::accumulator;
    return std::nullopt;
  }
  std::optional<Need> shortage_of_weights(const Candidate& candidate) const {
    const WeightHome home = candidate.tiling.home;
    if (home != WeightHome::fetched) {
      if (resident_rows(home, candidate.totals) > capacity_.resident_rows) return Need::resident_store;
    } else if (weight_rows(candidate) > capacity_.weight_rows) {
      return Need::weight_buffer;
    }
    return std::nullopt;
  }
  std::optional<Need> shortage_behind(const Candidate& candidate) const {
    if (bias_bytes(candidate) > capacity_.bias_bytes) return Need::bias_buffer;
    if (output_bytes(candidate) > capacity_.output_bytes) return Need::output_buffer;
    return std::nullopt;
  }

  // Returns a text with the resource, the need and the limit.
  std::string reason(const Candidate& candidate, Need need) const {
    const auto bytes = [](const std::string& resource, const std::string& what, std::int64_t needed,
                          std::int64_t limit) {
      return fmt::format("{}: {} need {} B of {}", resource, what, compile::grouped(needed), compile::grouped(limit));
    };
    switch (need) {
      case Need::line_buffer:
        return fmt::format("{}: {} columns are read", Limits(config_).line, c_.columns_read());
      case Need::pool_kernel:
        return fmt::format("pooling.kernel: windows of {0} x {0} need {0} of {1}", c_.pool->kernel,
                           config_.pooling.kernel);
      case Need::pool_lines:
        return fmt::format("pooling.lines: windows of {0} x {0} at stride {1} need {2} of {3}", c_.pool->kernel,
                           c_.pool->stride, open_windows(), config_.pooling.lines);
      case Need::pool_words:
        return fmt::format("pooling.line_words: {} groups of {} pooled columns need {} of {}",
                           candidate.totals.most_groups, c_.pool->columns, compile::grouped(pool_words(candidate)),
                           compile::grouped(config_.pooling.line_words));
      case Need::input_buffer:
        return bytes(Limits(config_).input, input_rows(candidate), widest_input(candidate), input_capacity());
      case Need::accumulator:
        return fmt::format("{}: {} groups of {} x {} sums need {} entries of {}", Limits(config_).sum,
                           candidate.totals.most_groups, candidate.tiling.rows, c_.columns,
                           compile::grouped(sums(candidate.tiling.rows, candidate.totals)),
                           compile::grouped(accumulators()));
      case Need::resident_store:
        return Limits(config_).resident + ": the weights do not fit";
      case Need::weight_buffer:
        return bytes(Limits(config_).weight, fmt::format("{} weight sets", weight_rows(candidate) / config_.array.cols),
                     weight_rows(candidate) * capacity_.weight_row_bytes,
                     std::int64_t{capacity_.weight_rows} * capacity_.weight_row_bytes);
      case Need::bias_buffer:
        return bytes(Limits(config_).bias, fmt::format("{} records", channels(candidate)), bias_bytes(candidate),
                     capacity_.bias_bytes);
      case Need::output_buffer:
        return bytes(Limits(config_).output,
                     fmt::format("{} channels of {} x {}", channels(candidate), candidate.rows_sent, c_.columns_sent()),
                     output_bytes(candidate), capacity_.output_bytes);
    }
    return "";
  }

  // Returns the first source whose rows do not fit.
  const Place& too_wide(const Candidate& candidate) const {
    for (const Place* source : c_.sources)
      if (input_bytes(candidate.tiling, *source) > input_capacity()) return *source;
    return *c_.sources.front();
  }
  std::string input_rows(const Candidate& candidate) const {
    return fmt::format("{} rows of {} words", c_.rows_read(candidate.tiling.tile_rows()),
                       too_wide(candidate).row_words());
  }
  std::int64_t widest_input(const Candidate& candidate) const {
    return input_bytes(candidate.tiling, too_wide(candidate));
  }

  const Convolution& c_;
  const Config& config_;
  const Capacity capacity_;
  const Reading reading_;
  const std::vector<Subset> sets_;
  const std::int64_t group_rows_;  // rows of the weight buffer for one input group
  const int record_bytes_;         // of a bias record
  int parallel_ = 1;
};

}  // namespace

int weight_rows_per_group(const Convolution& convolution, const ArrayConfig& array) {
  return KernelBlocks(array, convolution.kernels.kernel).sets() * array.cols;
}

int output_groups(const Convolution& convolution, const ArrayConfig& array) {
  return base::ceil_div(convolution.kernels.filters, array.output_channels);
}

bool holds_rows(const Convolution& convolution, const Config& config) {
  return Search(convolution, config).holds_rows();
}

compile::Fit<Tiling> choose_tiling(const Convolution& convolution, const Config& config) {
  const Search search(convolution, config);
  return config.schedule.loop_order == LoopOrder::thesis ? search.thesis() : search.least_traffic();
}

}  // namespace fansim::stream

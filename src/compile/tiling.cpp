// SPDX-License-Identifier: Apache-2.0
#include "compile/tiling.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "compile/text.h"
#include "compile/traffic.h"

namespace fansim::compile {

namespace {

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
    sets.push_back({group, 1, static_cast<int>(c.sources.size()), first, last});
  }
  return sets;
}

std::vector<Subset> cut(const std::vector<Subset>& sets, int most_groups) {
  std::vector<Subset> subsets;
  for (const Subset& set : sets) {
    const int pieces = base::ceil_div(set.groups, most_groups);
    const int each = base::ceil_div(set.groups, pieces);
    for (int first = 0; first < set.groups; first += each) {
      subsets.push_back(set);
      subsets.back().first_group += first;
      subsets.back().groups = std::min(each, set.groups - first);
    }
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

class Search {
 public:
  Search(const Convolution& c, const arch::StreamConfig& config)
      : c_(c),
        config_(config),
        capacity_(config),
        reading_(c, config),
        sets_(uniform_sets(c, config.array)),
        group_rows_(weight_rows_per_group(c, config.array)) {
    parallel_ = c.pool ? 1 : std::min(config.array.windows_in_parallel(c.kernels.kernel, c.stride), c.rows);
  }

  Fit<Tiling> thesis() const {
    for (int groups = Totals(sets_).most_groups; groups >= 1; --groups) {
      Candidate candidate(cut(sets_, groups));
      set_rows(candidate, 1, most_rows_sent(1));
      Tiling& tiling = candidate.tiling;
      tiling.home = resident_rows(WeightHome::layer_resident, candidate.totals) <= capacity_.resident_rows
                        ? WeightHome::layer_resident
                        : WeightHome::fetched;
      if (fits(candidate)) return tiling;
    }
    return misfit();
  }

  Fit<Tiling> least_traffic() const {
    std::vector<Candidate> candidates;
    for (const int groups : even_sizes(Totals(sets_).most_groups)) candidates.emplace_back(cut(sets_, groups));
    std::optional<Tiling> best;
    Traffic least;
    for (const int rows : even_sizes(base::ceil_div(c_.rows, parallel_))) {
      const int sent = most_rows_sent(rows);
      for (Candidate& candidate : candidates) {
        if (sums(rows, candidate.totals) > accumulators()) break;
        set_rows(candidate, rows, sent);
        Tiling& tiling = candidate.tiling;
        for (const auto& [home, tiles_outermost] : kOrders) {
          tiling.home = home;
          tiling.tiles_outermost = tiles_outermost;
          if ((tiles_outermost && c_.pool) || !fits(candidate)) continue;
          const Traffic t = reading_.of(tiling, candidate.totals);
          if (best && (t.bytes > least.bytes || (t.bytes == least.bytes && t.jobs >= least.jobs))) continue;
          best = tiling;
          least = t;
        }
      }
    }
    if (best) return *best;
    return misfit();
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
    explicit Candidate(std::vector<Subset> subsets) : totals(subsets) { tiling.subsets = std::move(subsets); }
    Totals totals;
    Tiling tiling;
    int rows_sent = 0;  // at most, by a job
  };

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
    int most = 0;
    for (int row = 0; row < c_.rows; row += tile_rows)
      most = std::max(most, c_.rows_sent(std::min(c_.rows, row + tile_rows)) - c_.rows_sent(row));
    return most;
  }

  bool fits(const Candidate& candidate) const {
    return !refused(candidate, [](auto&&) {});
  }

  // Why not even the smallest tiling fits.
  Misfit misfit() const {
    Candidate smallest(cut(sets_, 1));
    set_rows(smallest, 1, most_rows_sent(1));
    Misfit misfit;
    refused(smallest, [&](auto&& reason) { misfit.reason = reason(); });
    return misfit;
  }

  // Whether a resource is too small; of the first one say() gets a function that makes the reason's text.
  template <class Say>
  bool refused(const Candidate& candidate, Say&& say) const {
    const Tiling& tiling = candidate.tiling;
    const int groups = candidate.totals.most_groups;
    const auto over = [&](std::int64_t need, std::int64_t limit, auto&& reason) {
      if (need > limit) say(reason);
      return need > limit;
    };
    const auto over_bytes = [&](std::int64_t need, std::int64_t limit, const char* resource, auto&& what) {
      return over(need, limit, [&] {
        return fmt::format("{}: {} need {} B of {}", resource, what(), grouped(need), grouped(limit));
      });
    };
    if (over(c_.columns_read(), capacity_.line_columns,
             [&] { return fmt::format("line buffer: {} columns of {}", c_.columns_read(), capacity_.line_columns); }))
      return true;
    const std::int64_t rows = c_.rows_read(tiling.tile_rows());
    for (const Place* source : c_.sources)
      if (over_bytes(rows * source->row_bytes(), capacity_.input_bytes / capacity_.word_bytes * capacity_.word_bytes,
                     "input buffer", [&] { return fmt::format("{} rows of {} words", rows, source->row_words()); }))
        return true;
    if (over(sums(tiling.rows, candidate.totals), accumulators(), [&] {
          return fmt::format("accumulator: {} groups of {} x {} sums need {} of {} entries", groups, tiling.rows,
                             c_.columns, grouped(sums(tiling.rows, candidate.totals)), grouped(accumulators()));
        }))
      return true;
    if (weights_refused(candidate, over, over_bytes)) return true;
    const int channels = groups * config_.array.output_channels;
    return over_bytes(std::int64_t{channels} * c_.requantisation.record_bytes(), capacity_.bias_bytes, "bias buffer",
                      [&] { return fmt::format("{} records", channels); }) ||
           over_bytes(std::int64_t{channels} * candidate.rows_sent * c_.columns_sent(), capacity_.output_bytes,
                      "output buffer", [&] {
                        return fmt::format("{} channels of {} x {}", channels, candidate.rows_sent, c_.columns_sent());
                      });
  }

  template <class Over, class OverBytes>
  bool weights_refused(const Candidate& candidate, const Over& over, const OverBytes& over_bytes) const {
    const Totals& totals = candidate.totals;
    if (candidate.tiling.home != WeightHome::fetched)
      return over(resident_rows(candidate.tiling.home, totals), capacity_.resident_rows,
                  [] { return std::string("resident store: the weights do not fit"); });
    const std::int64_t rows = group_rows_ * totals.most_groups;
    return over_bytes(rows * capacity_.weight_row_bytes,
                      std::int64_t{capacity_.weight_rows} * capacity_.weight_row_bytes, "weight buffer",
                      [&] { return fmt::format("{} weight sets", rows / config_.array.cols); });
  }

  const Convolution& c_;
  const arch::StreamConfig& config_;
  const Capacity capacity_;
  const Reading reading_;
  const std::vector<Subset> sets_;
  const std::int64_t group_rows_;  // of the weight buffer, for one input group
  int parallel_ = 1;
};

}  // namespace

int weight_rows_per_group(const Convolution& convolution, const arch::ArrayConfig& array) {
  return KernelBlocks(array, convolution.kernels.kernel).sets() * array.cols;
}

int output_groups(const Convolution& convolution, const arch::ArrayConfig& array) {
  return base::ceil_div(convolution.kernels.filters, array.output_channels);
}

Fit<Tiling> choose_tiling(const Convolution& convolution, const arch::StreamConfig& config) {
  const Search search(convolution, config);
  return config.schedule.loop_order == arch::LoopOrder::thesis ? search.thesis() : search.least_traffic();
}

}  // namespace fansim::compile

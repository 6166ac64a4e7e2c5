// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <optional>

#include "accelerators/stream/compile/check.h"
#include "accelerators/stream/compile/tiling.h"
#include "accelerators/stream/compile/traffic.h"
#include "base/random.h"

// These tests compare the search for the tiling with least traffic with a search that examines every tiling job by job.
namespace fansim::test::tiling_search_test {

namespace {

using stream::Convolution;
using stream::Slice;
using stream::Subset;
using stream::Tiling;
using stream::Traffic;
using stream::WeightHome;

// Cuts adjacent output groups that need the same input groups into pieces of at most `most` groups.
std::vector<Subset> cut(const Convolution& c, const stream::ArrayConfig& array, int most) {
  const int filters = c.kernels.filters / c.kernels.groups, channels = c.kernels.channels / c.kernels.groups;
  std::vector<Subset> sets;
  for (int group = 0; group < stream::output_groups(c, array); ++group) {
    int first = c.kernels.channels, last = 0;
    for (int f = group * array.output_channels; f < std::min(c.kernels.filters, (group + 1) * array.output_channels);
         ++f) {
      first = std::min(first, f / filters * channels / array.input_channels);
      last = std::max(last, ((f / filters + 1) * channels - 1) / array.input_channels);
    }
    const bool joins = !sets.empty() && sets.back().first_input == first && sets.back().last_input == last;
    if (!joins) sets.push_back({group, 0, static_cast<int>(c.sources.size()), first, last});
    ++sets.back().groups;
  }
  if (most == 0) return sets;
  std::vector<Subset> pieces;
  for (Subset set : sets) {
    const int count = base::ceil_div(set.groups, most), each = base::ceil_div(set.groups, count);
    for (int left = set.groups; left > 0; left -= each, set.first_group += each) {
      pieces.push_back(set);
      pieces.back().groups = std::min(each, left);
    }
  }
  return pieces;
}

// Counts what the host transfers: all data that the job before does not leave in the buffers.
Traffic counted(const Tiling& tiling, const Convolution& c, const stream::Config& config) {
  const stream::Capacity capacity(config);
  const std::int64_t weights = std::int64_t{stream::weight_rows_per_group(c, config.array)} * capacity.weight_row_bytes;
  const std::int64_t bias = std::int64_t{config.array.output_channels} * c.requantisation.record_bytes();
  const bool bias_once = bias * stream::output_groups(c, config.array) <= capacity.bias_bytes;
  Traffic t;
  if (bias_once) t.bytes += bias * stream::output_groups(c, config.array);
  if (tiling.home != WeightHome::fetched)
    for (const Subset& subset : tiling.subsets) t.bytes += weights * subset.groups * subset.input_groups();
  int last_tile = -1;
  Slice last{-1, -1};
  const Subset* last_subset = nullptr;
  const auto job = [&](int tile, const Subset& subset, int index) {
    const Slice slice = subset.slice(index);
    ++t.jobs;
    if (tile != last_tile || slice.source != last.source || slice.input_group != last.input_group) {
      const int rows = std::min(tiling.tile_rows(), c.rows - tile * tiling.tile_rows());
      t.bytes += std::int64_t{c.rows_read(rows)} * c.sources[static_cast<std::size_t>(slice.source)]->row_bytes();
    }
    const bool new_weights = &subset != last_subset || slice.input_group != last.input_group;
    if (new_weights && tiling.home == WeightHome::fetched) t.bytes += weights * subset.groups;
    if (&subset != last_subset && !bias_once) t.bytes += bias * subset.groups;
    last_tile = tile;
    last = slice;
    last_subset = &subset;
  };
  int seen = 0;  // seen slices of a subset
  for_each_run(tiling, [&](int tile, const Subset& subset, int first, int times) {
    seen = first == 0 ? 0 : seen;
    REQUIRE(first == seen);
    for (int index = first; index < first + times; ++index) job(tile, subset, index);
    seen += times;
  });
  return t;
}

bool fits(const Tiling& tiling, const Convolution& c, const stream::Config& config) {
  const stream::Capacity capacity(config);
  const std::int64_t weights = stream::weight_rows_per_group(c, config.array);
  bool all = c.columns_read() <= capacity.line_columns;
  std::int64_t resident = 0, most = 0;
  for (const Subset& subset : tiling.subsets) {
    const std::int64_t channels = std::int64_t{subset.groups} * config.array.output_channels;
    most = std::max(most, weights * subset.groups * subset.input_groups());
    resident += weights * subset.groups * subset.input_groups();
    all &= channels * c.requantisation.record_bytes() <= capacity.bias_bytes;
    all &= std::int64_t{tiling.rows} * subset.groups * c.columns <= config.array.accumulator_entries(tiling.parallel);
    all &= !c.pool || subset.groups * c.pool->columns <= config.pooling.line_words;
    all &= tiling.home != WeightHome::fetched || weights * subset.groups <= capacity.weight_rows;
    for (int row = 0; row < c.rows; row += tiling.tile_rows()) {
      const int sent = c.rows_sent(std::min(c.rows, row + tiling.tile_rows())) - c.rows_sent(row);
      all &= channels * sent * c.columns_sent() <= capacity.output_bytes;
    }
  }
  for (const stream::Place* source : c.sources)
    all &= c.rows_read(tiling.tile_rows()) * source->row_words() <= capacity.input_bytes / capacity.word_bytes;
  if (tiling.home == WeightHome::layer_resident) all &= resident <= capacity.resident_rows;
  if (tiling.home == WeightHome::subset_resident) all &= most <= capacity.resident_rows;
  return all;
}

// Returns the first tiling among those with the fewest bytes and then the fewest jobs; rows and the largest set are cut
// evenly.
template <class Visit>
std::optional<Tiling> best_of_all(const Convolution& c, const stream::Config& config, int parallel, Visit&& visit) {
  int largest = 0;
  for (const Subset& set : cut(c, config.array, 0)) largest = std::max(largest, set.groups);
  std::optional<Tiling> best;
  Traffic least;
  const int row_groups = base::ceil_div(c.rows, parallel);
  for (int rows = 1; rows <= row_groups; ++rows) {
    if (base::ceil_div(row_groups, base::ceil_div(row_groups, rows)) != rows) continue;
    for (int groups = 1; groups <= largest; ++groups) {
      if (base::ceil_div(largest, base::ceil_div(largest, groups)) != groups) continue;
      for (const WeightHome home : {WeightHome::fetched, WeightHome::subset_resident, WeightHome::layer_resident})
        for (const bool tiles_outermost : {false, true}) {
          if (tiles_outermost && (c.pool || home == WeightHome::subset_resident)) continue;
          Tiling tiling{parallel, rows,           base::ceil_div(c.rows, rows * parallel), cut(c, config.array, groups),
                        home,     tiles_outermost};
          const Traffic t = counted(tiling, c, config);
          visit(tiling, t);
          if (!fits(tiling, c, config)) continue;
          if (best && (t.bytes > least.bytes || (t.bytes == least.bytes && t.jobs >= least.jobs))) continue;
          best = tiling;
          least = t;
        }
    }
  }
  return best;
}

std::string text(const Tiling& t) {
  std::string all = fmt::format("{} x {} rows, {} tiles, home {}, outermost {}:", t.rows, t.parallel, t.tiles,
                                static_cast<int>(t.home), t.tiles_outermost);
  for (const Subset& s : t.subsets)
    all += fmt::format(" {}+{}({}x{}..{})", s.first_group, s.groups, s.sources, s.first_input, s.last_input);
  return all;
}

stream::Config random_config(base::Random& random) {
  constexpr ArrayShape kShapes[] = {{3, 3, 8, 8}, {5, 5, 4, 8}, {2, 2, 2, 8}, {6, 3, 4, 4}};
  stream::Config config = config_of(kShapes[random.uniform(0, 3)]);
  config.buffers.input_kib = random.uniform(4, 24);
  config.buffers.weight_kib = random.uniform(8, 64);
  config.buffers.resident_kib = random.chance(30) ? 0 : random.uniform(1, 64);
  config.buffers.bias_kib = random.chance(50) ? 1 : 8;
  config.buffers.output_kib = random.uniform(1, 16);
  config.array.accumulator_depth = 64 * random.uniform(1, 16);
  config.array.line_columns = random.uniform(20, 60);
  config.pooling.line_words = random.uniform(16, 80);
  return config;
}

// Sets of groups that share an input group, one source or two, with a pooling behind or none.
struct RandomLayer {
  explicit RandomLayer(base::Random& random, const stream::ArrayConfig& array) {
    const bool adds = random.chance(20), pools = !adds && random.chance(40);
    const int groups = adds || random.chance(50) ? 1 : random.uniform(2, 6);
    const int channels = groups * random.uniform(1, 12), kernel = random.uniform(1, 5);
    std::string yaml = fmt::format("input: {{shape: [{}, {}, {}]}}\nlayers:\n", channels, random.uniform(kernel, 24),
                                   random.uniform(kernel, 24));
    if (adds) {
      yaml += "  - {name: first, type: relu}\n  - {name: sum, type: add, with: input}\n";
    } else {
      const bool depthwise = random.chance(20);
      yaml +=
          fmt::format("  - {{name: conv, type: conv, filters: {}, kernel: {}, stride: {}, padding: {}, groups: {}}}\n",
                      depthwise ? channels : groups * random.uniform(1, 40), kernel, random.uniform(1, 3), kernel / 2,
                      depthwise ? channels : groups);
    }
    if (pools) yaml += "  - {name: pool, type: maxpool, kernel: 2, stride: 2, ceil_mode: true, padding: 1}\n";
    network = network_of(yaml);
    const network::Layer& layer = network.layers[adds ? 1 : 0];
    const auto place = [&](const network::Shape& shape, const stream::Border& border) {
      return stream::make_place(shape, border, array.input_channels, array.output_channels);
    };
    in = place(layer.in, stream::border_of(layer));
    other = place(layer.in, {1, 1, 1, 1});
    out = place(network.layers.back().out, {});
    convolution = adds ? stream::channelwise(layer, {&in, &other}, out)
                       : stream::convolution(layer, pools ? &network.layers[1] : nullptr, in, out);
  }
  RandomLayer(const RandomLayer&) = delete;
  RandomLayer& operator=(const RandomLayer&) = delete;

  network::Network network;
  stream::Place in, other, out;
  Convolution convolution;
};

}  // namespace

TEST_CASE("The tiling chosen is the first of least traffic of all that fit when counted job by job") {
  int chosen = 0, misfits = 0, resident = 0, outermost = 0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    base::Random random(seed, "search");
    const stream::Config config = random_config(random);
    const RandomLayer layer(random, config.array);
    const Convolution& c = layer.convolution;
    CAPTURE(seed, c.rows, c.columns, c.kernels.filters, c.kernels.channels, c.kernels.groups, c.kernels.kernel);
    const int parallel = c.pool ? 1 : std::min(config.array.windows_in_parallel(c.kernels.kernel, c.stride), c.rows);
    const std::optional<Tiling> best = best_of_all(c, config, parallel, [&](const Tiling& tiling, const Traffic& t) {
      const Traffic closed = stream::traffic(tiling, c, config);
      CAPTURE(text(tiling));
      if (closed.bytes == t.bytes && closed.jobs == t.jobs) return;
      REQUIRE(closed.bytes == t.bytes);
      REQUIRE(closed.jobs == t.jobs);
    });
    const auto tiling = stream::choose_tiling(c, config);
    REQUIRE(std::holds_alternative<Tiling>(tiling) == best.has_value());
    if (!best) {
      CHECK(!std::get<compile::Misfit>(tiling).reason.empty());
      ++misfits;
      continue;
    }
    REQUIRE(text(std::get<Tiling>(tiling)) == text(*best));
    ++chosen;
    resident += best->home != WeightHome::fetched;
    outermost += best->tiles_outermost;
  }
  CHECK(chosen > 500);
  CHECK(misfits > 30);
  CHECK(resident > 100);
  CHECK(outermost > 10);
}

}  // namespace fansim::test::tiling_search_test

// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/compile/tile_size.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "accelerators/tiled/config/tile_nest.h"
#include "compile/text.h"

namespace fansim::tiled {
namespace {

// Describes one direction of a map: how many sums and inputs `tile` outputs need at most.
struct Direction {
  int outputs, sums, inputs;
  int kernel, stride, pool_kernel, pool_stride;

  int sums_of(int tile) const { return std::min(sums, (tile - 1) * pool_stride + pool_kernel); }
  int inputs_of(int tile) const { return std::min(inputs, (sums_of(tile) - 1) * stride + kernel); }
};

Direction rows_of(const TiledJob& j, const TileNest& nest) {
  return {j.out_rows,           nest.conv_rows(), j.instruction.height, j.kernel_rows(),
          j.instruction.stride, j.pool_kernel,    j.pool_stride};
}
Direction columns_of(const TiledJob& j, const TileNest& nest) {
  return {j.out_columns,        nest.conv_columns(), j.instruction.width, j.kernel_columns(),
          j.instruction.stride, j.pool_kernel,       j.pool_stride};
}

bool held(const Config& c, const EngineConfig& engine, const Direction& rows, const Direction& columns, int tile_rows,
          int tile_columns) {
  const auto area = [](std::int64_t a, std::int64_t b) { return a * b; };
  return area(rows.inputs_of(tile_rows), columns.inputs_of(tile_columns)) <= engine.input_words &&
         area(rows.sums_of(tile_rows), columns.sums_of(tile_columns)) <= engine.output_words &&
         area(tile_rows, tile_columns) <= c.store.words;
}

std::int64_t all_sums(const TiledJob& job, const EngineConfig& engine) {
  const TileNest nest(job, engine);
  std::int64_t rows = 0, columns = 0;
  for (int y = 0; y < nest.y_tiles(); ++y) rows += nest.sums(nest.output(y, 0)).rows;
  for (int x = 0; x < nest.x_tiles(); ++x) columns += nest.sums(nest.output(0, x)).columns;
  return rows * columns;
}

// Finds the tile size, up to a limit, whose tiles cover the whole with the least excess and then with the fewest tiles.
class BestSizes {
 public:
  BestSizes(int whole, int limit) {
    for (int size = 1; size <= std::min(whole, limit); ++size) {
      const int tiles = base::ceil_div(whole, size);
      const std::tuple cost{std::int64_t{tiles} * size, tiles};
      if (best_.empty() || cost < cost_) {
        cost_ = cost;
        best_.push_back(size);
      } else {
        best_.push_back(best_.back());
      }
    }
  }
  int up_to(int limit) const { return best_[std::min(best_.size(), static_cast<std::size_t>(limit)) - 1]; }

 private:
  std::tuple<std::int64_t, int> cost_;
  std::vector<int> best_;
};

compile::Misfit too_large(const Config& c, int engine, const Direction& rows, const Direction& columns) {
  const EngineConfig& of = c.engine(engine);
  const char* const name = Config::kEngineNames[static_cast<std::size_t>(engine)];
  const int inputs = rows.inputs_of(1) * columns.inputs_of(1), sums = rows.sums_of(1) * columns.sums_of(1);
  if (inputs > of.input_words)
    return {fmt::format("{}.input_words {}: a tile of one output needs {}", name, of.input_words, inputs)};
  return {fmt::format("{}.output_words {}: a tile of one output needs {} sums", name, of.output_words, sums)};
}

}  // namespace

std::optional<compile::Misfit> choose_tile(TiledJob& job, const Config& config) {
  const EngineConfig& engine = config.engine(job.engine);
  const TileNest nest(job, engine);
  const std::int64_t weights = nest.tile_beats(config.weight_encoding()) * config.weight_encoding().beat_bytes();
  if (weights > config.weights.half_bytes())
    return compile::Misfit{fmt::format("weights.kib {}: a tile of {} x {} kernels needs {} B of {}", config.weights.kib,
                                       engine.tm, engine.tn, compile::grouped(weights),
                                       compile::grouped(config.weights.half_bytes()))};

  const Direction rows = rows_of(job, nest), columns = columns_of(job, nest);
  std::optional<std::tuple<std::int64_t, int, TiledJob>> best;
  const bool whole_rows = !config.output_encoding().byte_addressable();
  int y_tiles = job.out_rows + 1;  // out_rows + 1: no number is enough; narrower tiles never need more
  for (int x_tiles = 1; x_tiles <= (whole_rows ? 1 : job.out_columns); ++x_tiles) {
    TiledJob tried = job;
    tried.tile_columns = base::ceil_div(job.out_columns, x_tiles);
    if (x_tiles > 1 && tried.tile_columns == base::ceil_div(job.out_columns, x_tiles - 1))
      continue;  // the same tiles
                 // as before
    while (y_tiles > 1 &&
           held(config, engine, rows, columns, base::ceil_div(job.out_rows, y_tiles - 1), tried.tile_columns))
      --y_tiles;
    if (y_tiles > job.out_rows) continue;
    tried.tile_rows = base::ceil_div(job.out_rows, y_tiles);
    const std::int64_t sums = all_sums(tried, engine);
    const int tiles = x_tiles * y_tiles;
    if (!best || std::tie(sums, tiles) < std::tie(std::get<0>(*best), std::get<1>(*best)))
      best.emplace(sums, tiles, tried);
  }
  if (!best) return too_large(config, job.engine, rows, columns);
  job = std::get<2>(*best);
  return std::nullopt;
}

std::optional<compile::Misfit> choose_fc_tile(TiledJob& job, const Config& config) {
  const EngineConfig& engine = config.fc;
  const int inputs = job.instruction.in_channels;
  const int groups = base::ceil_div(job.instruction.out_channels, engine.tm);
  if (groups > engine.output_words)
    return compile::Misfit{
        fmt::format("fc.output_words {}: {} groups of outputs need a word each", engine.output_words, groups)};
  const int blocks = base::ceil_div(inputs, engine.tn * engine.input_words);
  if (engine.vectors_in_registers() && blocks > 1)
    return compile::Misfit{fmt::format("fc.input_words {}: fc.vectors registers hold a vector whole, of {} words",
                                       engine.input_words, base::ceil_div(inputs, engine.tn))};
  const int steps = base::ceil_div(base::ceil_div(inputs, blocks), engine.tn);
  job.fc_block = steps * engine.tn;

  const int slot = config.weight_encoding().slot_bits;
  const int sets = static_cast<int>(std::int64_t{config.weights.fc_half_bytes()} * 8 / slot / engine.macs_per_cycle());
  const int least = std::min(groups, EngineConfig::accumulate_latency(config.float_sum()));
  const BestSizes best_steps(steps, sets / least);
  std::optional<std::tuple<std::int64_t, std::int64_t>> best;
  for (int g = least; g <= std::min(groups, sets); ++g) {
    const int j = best_steps.up_to(sets / g);
    const std::int64_t tiles = std::int64_t{base::ceil_div(groups, g)} * base::ceil_div(steps, j);
    const std::tuple<std::int64_t, std::int64_t> cost{tiles * g * j, tiles};
    if (best && cost >= *best) continue;
    best = cost;
    job.fc_groups = g;
    job.fc_steps = j;
  }
  if (!best)
    return compile::Misfit{fmt::format("weights.fc_kib {}: {} weight sets are needed, there is room for {}",
                                       config.weights.fc_kib, least, sets)};
  return std::nullopt;
}

}  // namespace fansim::tiled

// SPDX-License-Identifier: Apache-2.0
#include "accelerators/decoupled/compile/tile_size.h"

#include <fmt/format.h>

#include "compile/text.h"

namespace fansim::decoupled {
namespace {

constexpr std::int64_t kKib = 1024;

std::int64_t vector_bytes(const Config& c) { return std::int64_t{c.block()} * c.array.batch * c.data.bytes(); }
std::int64_t weight_bytes(const Config& c) { return std::int64_t{c.array.tm} * c.array.tn * c.data.bytes(); }
std::int64_t sum_bytes(const Config& c) { return std::int64_t{c.array.tm} * c.array.batch * c.sum_bytes(); }

// Returns how much of each buffer a tile needs.
Room need_of(const Work& work, const TileSize& tile, const Config& config) {
  const auto across = [&](int outputs) { return std::int64_t{outputs - 1} * work.stride + work.kernel; };
  const std::int64_t ins = work.input_blocks(tile.inputs, config);
  const std::int64_t outs = work.output_blocks(tile.outputs, config);
  return {base::ceil_div(tile.inputs, config.block()) * across(tile.rows) * across(tile.columns),
          work.pools ? 0 : ins * outs * work.kernel_positions(), outs * tile.rows * tile.columns};
}

bool fits(const Room& need, const Room& room) {
  return need.inputs <= room.inputs && need.weights <= room.weights && need.sums <= room.sums;
}

compile::Misfit too_large(const Work& work, const TileSize& tile, const Room& room, const Config& config) {
  const Room need = need_of(work, tile, config);
  const std::string what = fmt::format(
      "a tile of {} x {} outputs of {} channels, {} input channels (schedule.rows, columns, outputs, "
      "inputs, or schedule.tiles)",
      tile.rows, tile.columns, tile.outputs, tile.inputs);
  if (auto misfit =
          beyond(need.inputs, room.inputs, vector_bytes(config), {"buffers.input_kib", config.buffers.input_kib}, what))
    return *misfit;
  if (auto misfit = beyond(need.weights, room.weights, weight_bytes(config),
                           {"buffers.weight_kib", config.buffers.weight_kib}, what))
    return *misfit;
  return *beyond(need.sums, room.sums, sum_bytes(config), {"buffers.sum_kib", config.buffers.sum_kib}, what);
}

}  // namespace

std::optional<compile::Misfit> beyond(std::int64_t need, std::int64_t limit, std::int64_t unit_bytes,
                                      const BufferKey& key, const std::string& what) {
  if (need <= limit) return std::nullopt;
  const std::int64_t bytes = limit * unit_bytes;
  return compile::Misfit{fmt::format("{} {}{}: {} needs {} B of {}", key.name, key.kib,
                                     limit > 0 && 2 * bytes <= key.kib * kKib ? ", two halves" : "", what,
                                     compile::grouped(need * unit_bytes), compile::grouped(bytes))};
}

int input_halves(const TileLimits& limits, const Config& config) {
  return limits.threads == Threads::none ? config.buffers.halves : 2;
}
int weight_halves(const TileLimits& limits, const Config& config) {
  return limits.threads == Threads::none ? config.weight_halves() : 2;
}
int sum_halves(const TileLimits& limits, const Config& config) {
  return limits.threads == Threads::none ? config.buffers.sum_halves : 2;
}

Room room_of(const TileLimits& limits, const Config& config) {
  return {config.buffers.input_kib * kKib / input_halves(limits, config) / vector_bytes(config),
          config.buffers.weight_kib * kKib / weight_halves(limits, config) / weight_bytes(config),
          config.buffers.sum_kib * kKib / sum_halves(limits, config) / sum_bytes(config)};
}

TileSize channels_of(const Work& work, const TileLimits& limits, const Config& config) {
  const int unit = work.input_unit(config), tm = config.array.tm;
  const std::int64_t wanted = limits.inputs == 0 ? unit : std::int64_t{limits.inputs} * work.positions;
  TileSize tile;
  tile.inputs =
      static_cast<int>(std::min<std::int64_t>(work.inputs, std::max<std::int64_t>(unit, wanted / unit * unit)));
  tile.outputs = tm;
  if (work.pools) tile.outputs = tile.inputs;
  // A tile whose weights arrive in pieces has a single block of outputs.
  else if (limits.outputs > 0 && config.schedule.weight_pieces == 1)
    tile.outputs = std::max(tm, limits.outputs / tm * tm);
  tile.outputs = std::min(tile.outputs, work.outputs);
  return tile;
}

compile::Fit<TileSize> choose_tile(const Work& work, const TileLimits& limits, const Config& config) {
  const Room room = room_of(limits, config);
  TileSize tile = channels_of(work, limits, config);
  const bool pieces = !work.pools && config.schedule.weight_pieces > 1;  // such tiles have one row, which is multiplied
                                                                         // column by column
  const int rows = limits.rows > 0 ? std::min(limits.rows, work.out.rows) : 0;
  tile.rows = pieces ? 1 : std::max(1, rows);
  const auto held = [&] { return fits(need_of(work, tile, config), room); };
  tile.columns = limits.columns > 0 ? std::min(limits.columns, work.out.columns) : work.out.columns;
  while (limits.columns == 0 && tile.columns > 1 && !held()) --tile.columns;
  // The window of a fully connected layer can be divided anywhere.
  if (limits.inputs == 0 && work.positions > 1 && !held()) {
    const int unit = work.input_unit(config) / work.positions;
    const std::int64_t of_weights = room.weights / work.output_blocks(tile.outputs, config) * config.array.tn;
    const auto most = static_cast<int>(std::min({room.inputs * config.block(), of_weights, std::int64_t{tile.inputs}}));
    tile.inputs = std::max(unit, most / unit * unit);
  }
  if (!held()) return too_large(work, tile, room, config);
  if (rows > 0 || pieces) return tile;
  for (tile.rows = work.out.rows; !held();) --tile.rows;
  return tile;
}

}  // namespace fansim::decoupled

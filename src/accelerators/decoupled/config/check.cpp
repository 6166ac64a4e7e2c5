// SPDX-License-Identifier: Apache-2.0
#include "accelerators/decoupled/config/check.h"

#include <fmt/format.h>

#include <array>

namespace fansim::decoupled {
namespace {

constexpr std::array<const char*, kUnits> kUnitNames{"load", "load_weights", "compute", "store"};
constexpr std::array<const char*, 9> kActionNames{
    "load_inputs", "load_weights", "load_parameters", "load_sums", "multiply", "pool", "post", "store", "store_sums"};

Unit executing(Action action) {
  if (action == Action::store || action == Action::store_sums) return Unit::store;
  return action < Action::multiply ? Unit::load : Unit::compute;
}

std::string misplaced(const Command& command, const Config& config) {
  const bool second = command.unit == Unit::load_weights;
  if ((second ? Unit::load : command.unit) != executing(command.action)) return "the unit has no such command";
  if (second && !config.load.two_units()) return "there is a second load unit with load.order parallel only";
  if ((command.waits & bit(command.unit)) != 0) return "it would wait for its own unit";
  if ((command.waits & bit(Unit::load_weights)) != 0 && !config.load.two_units())
    return "it waits for a second load unit, which there is with load.order parallel only";
  return {};
}

// Checks that a tile lies within a buffer. Its vectors have `bytes` bytes, and `columns` columns of each row are used.
std::string outside(const Tile& tile, std::int64_t columns, const char* buffer, std::int64_t bytes, int kib) {
  if (tile.first < 0 || tile.planes < 1 || tile.rows < 1 || tile.columns < 1 || tile.plane < 1 || tile.ring < 1 ||
      tile.row < 0 || tile.row >= tile.ring)
    return fmt::format("a tile in the {} buffer of no size, or before its begin", buffer);
  if (tile.rows > tile.ring)
    return fmt::format("a tile of {} rows in the {} buffer, which holds {} of a plane", tile.rows, buffer, tile.ring);
  const std::int64_t rows = std::min(tile.ring, tile.row + tile.rows);
  const std::int64_t end =
      tile.first + std::int64_t{tile.planes - 1} * tile.plane + (rows - 1) * tile.columns + columns;
  if (end * bytes > std::int64_t{kib} * 1024)
    return fmt::format("a tile up to byte {} of the {} buffer of {} KiB", end * bytes, buffer, kib);
  return {};
}

std::string outside_inputs(const Command& command, std::int64_t columns, const Config& config) {
  return outside(command.inputs, columns, "input", input_vector_bytes(config), config.buffers.input_kib);
}
std::string outside_sums(const Command& command, const Config& config) {
  return outside(command.sums, command.sums.columns, "sum", sum_vector_bytes(config), config.buffers.sum_kib);
}

// Checks that the bytes of all planes, stored one after another from byte `first` on, lie within a buffer of `bytes`
// bytes.
std::string outside_run(const Command& command, const char* buffer, std::int64_t first, std::int64_t bytes) {
  const contract::RowTransfers& rows = command.planes.rows;
  const std::int64_t end = first + std::int64_t{command.planes.planes} * rows.rows * rows.row_bytes;
  if (first < 0 || end > bytes) return fmt::format("bytes {} to {} of the {} buffer of {}", first, end, buffer, bytes);
  return {};
}

// Checks that the planes in memory fill the tile, together with its border.
std::string differs(const Command& command, const Tile& tile, int planes, int bytes) {
  const Border& border = command.border;
  const contract::RowTransfers& rows = command.planes.rows;
  if (border.top < 0 || border.bottom < 0 || border.left < 0 || border.right < 0) return "a border of less than 0";
  const std::int64_t height = std::int64_t{border.top} + border.bottom + rows.rows;
  const std::int64_t width = rows.rows == 0 ? std::int64_t{tile.columns} * bytes
                                            : std::int64_t{border.left + border.right} * bytes + rows.row_bytes;
  if (command.planes.planes > planes || height != tile.rows || width != std::int64_t{tile.columns} * bytes)
    return fmt::format("{} planes of {} rows of {} bytes, of vectors of {}, for a tile of {} of {} of {}",
                       command.planes.planes, height, width, bytes, planes, tile.rows, tile.columns);
  return {};
}

std::string of_array(const Command& command, const Config& config) {
  const Tile &in = command.inputs, &out = command.sums;
  const auto reach = [&](int outputs) { return std::int64_t{outputs - 1} * command.stride + command.kernel; };
  if (std::string reason = outside_inputs(command, reach(out.columns), config); !reason.empty()) return reason;
  if (std::string reason = outside_sums(command, config); !reason.empty()) return reason;
  if (command.kernel < 1 || command.stride < 1 || command.input_blocks < 1 || command.output_blocks != out.planes)
    return fmt::format("{} output blocks for {} planes of sums", command.output_blocks, out.planes);
  if (reach(out.rows) > in.rows || reach(out.columns) > in.columns)
    return fmt::format("{} x {} windows of {} by {} in a tile of {} x {}", out.rows, out.columns, command.kernel,
                       command.stride, in.rows, in.columns);
  if (command.action == Action::pool) return {};
  const std::int64_t taps = std::int64_t{command.input_blocks} * command.kernel * command.kernel;
  if (command.first_tap < 0 || command.taps < 0 || std::int64_t{command.first_tap} + command.taps > taps)
    return fmt::format("taps {} to {} of {}", command.first_tap, command.first_tap + command.taps, taps);
  const std::int64_t blocks = command.output_blocks * taps;
  const std::int64_t end = (command.weights + blocks) * weight_block_bytes(config);
  if (command.weights < 0 || end > std::int64_t{config.buffers.weight_kib} * 1024)
    return fmt::format("weights up to byte {} of the weight buffer of {} KiB", end, config.buffers.weight_kib);
  return {};
}

std::string of_store(const Command& command, const Config& config) {
  if (std::string reason = outside_sums(command, config); !reason.empty()) return reason;
  const int parts = config.array.tm / config.block();
  if (command.channels < 0 || command.channels > command.planes.planes * config.block() || command.parameters < 0)
    return fmt::format("{} channels in {} planes of {}", command.channels, command.planes.planes, config.block());
  return differs(command, command.sums, command.sums.planes * parts, input_vector_bytes(config));
}

std::string wrong(const Command& command, const Config& config) {
  if (std::string reason = misplaced(command, config); !reason.empty()) return reason;
  if (command.steps < 0 || command.planes.planes < 0) return "less than nothing";
  switch (command.action) {
    case Action::load_inputs:
      if (std::string reason = outside_inputs(command, command.inputs.columns, config); !reason.empty()) return reason;
      return differs(command, command.inputs, command.inputs.planes, input_vector_bytes(config));
    case Action::load_weights:
      return outside_run(command, "weight", std::int64_t{command.weights} * weight_block_bytes(config),
                         std::int64_t{config.buffers.weight_kib} * 1024);
    case Action::load_parameters:
      return outside_run(command, "parameter", std::int64_t{command.parameters} * kParameterBytes,
                         std::int64_t{kMostParameters} * kParameterBytes);
    case Action::load_sums:
    case Action::store_sums:
      if (std::string reason = outside_sums(command, config); !reason.empty()) return reason;
      return differs(command, command.sums, command.sums.planes, sum_vector_bytes(config));
    case Action::multiply:
    case Action::pool:
      return of_array(command, config);
    case Action::post:
      return {};
    case Action::store:
      return of_store(command, config);
  }
  return "no action of this machine";
}

}  // namespace

std::string refusal(const Command& command, const Config& config) {
  const std::string reason = wrong(command, config);
  if (reason.empty()) return {};
  const auto action = static_cast<std::size_t>(command.action);
  return fmt::format("{} cannot {}: {}", kUnitNames.at(index(command.unit)),
                     action < kActionNames.size() ? kActionNames[action] : "do that", reason);
}

}  // namespace fansim::decoupled

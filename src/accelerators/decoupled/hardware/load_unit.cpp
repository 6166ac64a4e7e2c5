// SPDX-License-Identifier: Apache-2.0
#include "accelerators/decoupled/hardware/load_unit.h"

#include <algorithm>

#include "accelerators/decoupled/config/arithmetic.h"
#include "accelerators/decoupled/config/pace.h"

namespace fansim::decoupled {

LoadUnit::LoadUnit(const sc_core::sc_module_name& name, Unit unit, const Config& config, Buffers& buffers)
    : CommandUnit(name, unit, config), buffers_(buffers) {
  for (int lane = 0; lane < lanes_of(unit, config).count; ++lane)
    lanes.push_back(std::make_unique<LoadLane>(
        lane, config,
        [this](const Transfer& transfer, std::uint32_t at, const std::uint8_t* bytes, std::uint32_t count) {
          store(transfer, at, bytes, count);
        },
        [this](int plane) { fill(plane); }));
}

void LoadUnit::begin(const Command& command) {
  command_ = &command;
  setup_left_ = config_.load.setup;
  const int count = static_cast<int>(lanes.size());
  for (int lane = 0; lane < count; ++lane)
    lanes[static_cast<std::size_t>(lane)]->begin({command, config_.load.rows == Rows::merged, lane, count,
                                                  (1U << config_.dma.length_bits) - 1, config_.axi.beat_bytes()});
}

bool LoadUnit::work(const Command&) {
  bool idles = setup_left_ > 0, ended = true;
  if (setup_left_ > 0) {
    --setup_left_;
  } else {
    for (auto& lane : lanes) {
      idles |= lane->idles();
      if (const std::string wrong = lane->step(); !wrong.empty()) violation(wrong);
    }
  }
  if (idles) progress();
  for (const auto& lane : lanes) ended &= lane->ended();
  return ended && setup_left_ == 0;
}

std::int64_t LoadUnit::bytes() const {
  std::int64_t bytes = 0;
  for (const auto& lane : lanes) bytes += lane->bytes();
  return bytes;
}

// Rows are stored one after another, except those of a tile, whose places are computed row by row.
void LoadUnit::store(const Transfer& transfer, std::uint32_t at, const std::uint8_t* bytes, std::uint32_t count) {
  const contract::RowTransfers& rows = command_->planes.rows;
  std::size_t position = std::size_t{transfer.row} * rows.row_bytes + transfer.offset + at;
  if (command_->action == Action::load_weights || command_->action == Action::load_parameters) {
    const bool weights = command_->action == Action::load_weights;
    position += static_cast<std::size_t>(transfer.plane) * rows.rows * rows.row_bytes;
    position +=
        weights ? static_cast<std::size_t>(command_->weights) * static_cast<std::size_t>(weight_block_bytes(config_))
                : static_cast<std::size_t>(command_->parameters) * kParameterBytes;
    std::vector<std::uint8_t>& buffer = weights ? buffers_.weights : buffers_.parameters;
    std::copy_n(bytes, count, buffer.begin() + static_cast<std::ptrdiff_t>(position));
    return;
  }
  const bool sums = command_->action == Action::load_sums;
  VectorBuffer& buffer = sums ? buffers_.sums : buffers_.inputs;
  const Tile& tile = sums ? command_->sums : command_->inputs;
  while (count > 0) {
    const std::size_t row = position / rows.row_bytes, in_row = position % rows.row_bytes;
    const auto piece = static_cast<std::uint32_t>(std::min<std::size_t>(count, rows.row_bytes - in_row));
    std::copy_n(
        bytes, piece,
        buffer.at(tile, transfer.plane, command_->border.top + static_cast<int>(row), command_->border.left) + in_row);
    bytes += piece;
    count -= piece;
    position += piece;
  }
}

void LoadUnit::fill(int plane) {
  if (command_->action != Action::load_inputs) return;
  const Tile& tile = command_->inputs;
  const Border& border = command_->border;
  const int bytes = config_.data.bytes();
  const auto fill = [&](int row, int from, int to) {
    std::uint8_t* at = buffers_.inputs.at(tile, plane, row, from);
    for (int left = (to - from) * buffers_.inputs.vector_bytes(); left > 0; left -= bytes, at += bytes)
      put_integer(layer().zero_point, at, bytes);
  };
  for (int row = 0; row < tile.rows; ++row) {
    const bool whole = row < border.top || row >= tile.rows - border.bottom;
    fill(row, 0, whole ? tile.columns : border.left);
    if (!whole) fill(row, tile.columns - border.right, tile.columns);
  }
}

}  // namespace fansim::decoupled

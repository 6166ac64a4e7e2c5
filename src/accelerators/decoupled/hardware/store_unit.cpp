// SPDX-License-Identifier: Apache-2.0
#include "accelerators/decoupled/hardware/store_unit.h"

#include <algorithm>

#include "accelerators/decoupled/config/arithmetic.h"
#include "accelerators/decoupled/config/pace.h"

namespace fansim::decoupled {

StoreUnit::StoreUnit(const sc_core::sc_module_name& name, const Config& config, Buffers& buffers)
    : CommandUnit(name, Unit::store, config), buffers_(buffers) {
  for (int lane = 0; lane < config.store.ports; ++lane)
    lanes.push_back(std::make_unique<StoreLane>(
        lane, config, [this](const Transfer& transfer, std::uint32_t at, std::uint8_t* bytes, std::uint32_t count) {
          make(transfer, at, bytes, count);
        }));
}

void StoreUnit::begin(const Command& command) {
  command_ = &command;
  setup_left_ = config_.store.setup;
  const int count = static_cast<int>(lanes.size());
  for (int lane = 0; lane < count; ++lane)
    lanes[static_cast<std::size_t>(lane)]->begin({command, config_.store.rows == Rows::merged, lane, count,
                                                  (1U << config_.dma.length_bits) - 1, config_.axi.beat_bytes()},
                                                 beat_interval(command.action, config_));
}

bool StoreUnit::work(const Command&) {
  bool idles = setup_left_ > 0, ended = true;
  if (setup_left_ > 0) {
    --setup_left_;
  } else {
    for (auto& lane : lanes) {
      idles |= lane->idles(now());
      if (const std::string wrong = lane->step(now()); !wrong.empty()) violation(wrong);
    }
  }
  if (idles) progress();
  for (const auto& lane : lanes) ended &= lane->ended();
  return ended && setup_left_ == 0;
}

std::int64_t StoreUnit::bytes() const {
  std::int64_t bytes = 0;
  for (const auto& lane : lanes) bytes += lane->bytes();
  return bytes;
}

void StoreUnit::make(const Transfer& transfer, std::uint32_t at, std::uint8_t* bytes, std::uint32_t count) {
  const std::uint32_t row_bytes = command_->planes.rows.row_bytes;
  std::uint64_t position = std::uint64_t{transfer.row} * row_bytes + transfer.offset + at;
  const bool as_they_are = command_->action == Action::store_sums;
  const int each = as_they_are ? 1 : config_.data.bytes(), block = config_.block();
  for (std::uint32_t i = 0; i < count;
       i += static_cast<std::uint32_t>(each), position += static_cast<std::uint64_t>(each)) {
    const int row = static_cast<int>(position / row_bytes), in_row = static_cast<int>(position % row_bytes);
    if (as_they_are) {
      bytes[i] = buffers_.sums.at(command_->sums, transfer.plane, row, 0)[in_row];
      continue;
    }
    const int in_vector = in_row / each, column = in_vector / block / config_.array.batch;
    put_integer(value(transfer.plane, row, column, in_vector / block % config_.array.batch, in_vector % block),
                bytes + i, each);
  }
}

// Returns the value to store for channel `channel` of a plane of `block` channels.
std::int32_t StoreUnit::value(int plane, int row, int column, int picture, int channel) {
  const int in_tile = plane * config_.block() + channel, tm = config_.array.tm, bytes = config_.sum_bytes();
  if (in_tile >= command_->channels) return 0;
  const std::uint8_t* sums = buffers_.sums.at(command_->sums, in_tile / tm, row, column);
  const std::int64_t sum = integer_at(sums + (picture * tm + in_tile % tm) * bytes, bytes);
  arith::Saturation& seen = picture == 0 ? saturation_ : of_others_;
  if (!layer().weighs) return stored_value(sum, {}, layer(), config_, seen);
  const auto record = static_cast<std::size_t>(command_->parameters + in_tile);
  if (layer().parameters.empty()) {
    if (record >= kMostParameters) violation("parameters that the buffer does not hold");
    return stored_value(sum, parameters_at(buffers_.parameters.data() + record * kParameterBytes), layer(), config_,
                        seen);
  }
  if (record >= layer().parameters.size()) violation("parameters that no command brings");
  return stored_value(sum, layer().parameters[record], layer(), config_, seen);
}

}  // namespace fansim::decoupled

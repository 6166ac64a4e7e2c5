// SPDX-License-Identifier: Apache-2.0
#include "accelerators/decoupled/compile/scheduler.h"

namespace fansim::decoupled {

Tile Scheduler::sums_tile(int half, int channels, int rows, int columns) const {
  Tile sums;
  sums.first = static_cast<int>(half * room_.sums);
  sums.planes = work_.output_blocks(channels, config_);
  sums.rows = sums.ring = rows;
  sums.columns = columns;
  sums.plane = rows * columns;
  return sums;
}

void Scheduler::load_parameters(int first, int count) {
  Command load;
  load.action = Action::load_parameters;
  const auto bytes = static_cast<std::uint32_t>(count * kParameterBytes);
  load.planes = {{work_.parameters + static_cast<std::uint32_t>(first * kParameterBytes), bytes, bytes, 1}, bytes, 1};
  load.parameters = first;
  load.channels = count;
  list_.add(load, {}, {});
}

std::int64_t Scheduler::piece_begin(int input_tile, int piece) const {
  const std::int64_t blocks = work_.input_blocks(inputs_of(input_tile).count, config_);
  return blocks * work_.kernel_positions() * piece / pieces();
}

// In memory the tiles of outputs follow one another, and within each the tiles of inputs.
void Scheduler::load_weights(int group, int output_tile, int input_tile, int half, int pieces, bool gated) {
  const std::int64_t taps = work_.kernel_positions();
  const std::int64_t block_bytes = std::int64_t{config_.array.tm} * config_.array.tn * config_.data.bytes();
  const std::int64_t all_ins = work_.input_blocks(work_.inputs, config_);
  const Span in = inputs_of(input_tile), out = outputs_of(output_tile);
  const std::int64_t outs = work_.output_blocks(out.count, config_);
  const std::int64_t row = work_.input_blocks(in.count, config_) * taps;  // blocks of weights for one block of outputs
  const std::int64_t outs_before =
      std::int64_t{group} * work_.output_blocks(work_.outputs, config_) + work_.output_blocks(out.first, config_);
  const std::int64_t before = (outs_before * all_ins + outs * work_.input_blocks(in.first, config_)) * taps;
  for (int piece = 0; piece < pieces; ++piece) {
    const std::int64_t first = piece_begin(input_tile, piece), count = piece_begin(input_tile, piece + 1) - first;
    if (count == 0) continue;
    const bool rows = config_.schedule.weight_rows;
    const auto bytes = static_cast<std::uint32_t>((rows ? count : count * outs) * block_bytes);
    Command load;
    load.unit = weight_unit();
    load.action = Action::load_weights;
    load.planes = {{work_.weights + static_cast<std::uint32_t>((before + first) * block_bytes), bytes, bytes, 1},
                   static_cast<std::uint32_t>(row * block_bytes),
                   rows ? static_cast<int>(outs) : 1};
    load.weights = static_cast<int>(half * room_.weights + first);
    std::vector<Place> writes{{Place::Of::weights, half, piece}};
    if (gated) writes.push_back(kWeightGate);
    for (int other = 0; other < pieces && first == 0 && half_blocks_.at(static_cast<std::size_t>(half)) != row; ++other)
      if (other != piece) writes.push_back({Place::Of::weights, half, other});
    list_.add(load, {}, writes);
  }
  half_blocks_.at(static_cast<std::size_t>(half)) = row;
}

Command Scheduler::compute(int output_tile, int input_tile, int half) const {
  Command compute;
  compute.unit = Unit::compute;
  compute.action = work_.pools ? Action::pool : Action::multiply;
  compute.kernel = work_.kernel;
  compute.stride = work_.stride;
  const Span in = work_.pools ? outputs_of(output_tile) : inputs_of(input_tile);
  compute.input_blocks = work_.input_blocks(in.count, config_);
  compute.output_blocks = work_.output_blocks(outputs_of(output_tile).count, config_);
  if (!work_.pools) compute.weights = static_cast<int>(half * room_.weights);
  compute.fresh = input_tile == 0 || work_.pools;
  return compute;
}

std::int64_t Scheduler::steps(const Command& command, std::int64_t positions) const {
  const int blocks = command.input_blocks * (work_.pools ? 1 : command.output_blocks);
  return steps_of(positions, work_.kernel_positions(), blocks, config_);
}

void Scheduler::post(const Tile& sums, const Place& place, std::int64_t positions, int channels) {
  if (config_.post.where != PostPlace::array || work_.pools) return;
  const std::int64_t values =
      positions * config_.array.batch * work_.output_blocks(channels, config_) * config_.array.tm;
  Command post;
  post.unit = Unit::compute;
  post.action = Action::post;
  post.sums = sums;
  post.steps = base::ceil_div(values, std::int64_t{config_.post.lanes});
  for (int pass = 0; pass < config_.post.passes; ++pass) list_.add(post, {}, {place});
}

}  // namespace fansim::decoupled

// SPDX-License-Identifier: Apache-2.0
#include "accelerators/decoupled/hardware/compute_unit.h"

#include <algorithm>
#include <limits>

#include "accelerators/decoupled/config/arithmetic.h"

namespace fansim::decoupled {

ComputeUnit::ComputeUnit(const sc_core::sc_module_name& name, const Config& config, Buffers& buffers)
    : CommandUnit(name, Unit::compute, config),
      buffers_(buffers),
      inputs_(static_cast<std::size_t>(config.array.tn)),
      weights_(static_cast<std::size_t>(config.array.tn)),
      sums_(static_cast<std::size_t>(config.array.tm)),
      products_(static_cast<std::size_t>(config.array.tn)) {}

std::int64_t ComputeUnit::edges(BucketIndex bucket) const {
  switch (bucket) {
    case kMultiply:
      return multiply_.value();
    case kPool:
      return pool_.value();
    case kPost:
      return post_.value();
    case kOverhead:
      return overhead_.value();
    case kWaitLoad:
      return wait_load_.value();
    case kWaitWeights:
      return wait_weights_.value();
    case kWaitStore:
      return wait_store_.value();
    default:
      return 0;
  }
}

void ComputeUnit::waits(Unit from) {
  ++(from == Unit::load ? wait_load_ : from == Unit::load_weights ? wait_weights_ : wait_store_);
}

void ComputeUnit::begin(const Command& command) {
  pace_ = pace_of(command.action, config_);
  edge_ = computed_ = 0;
  const Tile& out = command.sums;
  positions_ = command.action == Action::post ? 0 : std::int64_t{out.planes} * out.rows * out.columns;
}

// Positions are computed at the last edge of their step. A command without steps computes them at its last edge.
bool ComputeUnit::work(const Command& command) {
  progress();
  const std::int64_t stepping = command.steps * pace_.interval;
  const std::int64_t in_steps = edge_ - pace_.setup;
  const bool last = ++edge_ >= pace_.setup + stepping + pace_.latency;
  std::int64_t due = last ? positions_ : computed_;
  if (in_steps >= 0 && in_steps < stepping) {
    ++(pace_.bucket == kMultiply ? multiply_ : pace_.bucket == kPool ? pool_ : post_);
    due = positions_ * ((in_steps + 1) / pace_.interval) / command.steps;
  } else {
    ++overhead_;
  }
  while (computed_ < due) compute(command, computed_++);
  return last;
}

void ComputeUnit::compute(const Command& command, std::int64_t position) {
  const Tile& out = command.sums;
  const int column = static_cast<int>(position % out.columns);
  const int row = static_cast<int>(position / out.columns % out.rows);
  const int block = static_cast<int>(position / out.columns / out.rows);
  for (int picture = 0; picture < config_.array.batch; ++picture)
    if (command.action == Action::pool)
      pool(command, block, row, column, picture);
    else
      multiply(command, block, row, column, picture);
}

std::uint8_t* ComputeUnit::sum(const Command& command, int block, int row, int column, int picture) {
  return buffers_.sums.at(command.sums, block, row, column) +
         std::ptrdiff_t{picture} * config_.array.tm * config_.sum_bytes();
}

// Gathers the values of channels from `first` on, for one image.
void ComputeUnit::gather(const Command& command, int first, int row, int column, int picture) {
  const int block = config_.block(), bytes = config_.data.bytes();
  for (int n = 0; n < static_cast<int>(inputs_.size()); ++n) {
    const int channel = first + n, plane = channel / block;
    std::int32_t& value = inputs_[static_cast<std::size_t>(n)];
    value = 0;
    if (plane >= command.inputs.planes) continue;
    const std::uint8_t* vector = buffers_.inputs.at(command.inputs, plane, row, column);
    value = value_at(vector + (picture * block + channel % block) * bytes, bytes, layer().in_unsigned);
  }
}

void ComputeUnit::multiply(const Command& command, int block, int row, int column, int picture) {
  const int sum_bytes = config_.sum_bytes(), kernel = command.kernel;
  std::uint8_t* sums = sum(command, block, row, column, picture);
  for (std::size_t m = 0; m < sums_.size(); ++m)
    sums_[m] = command.fresh ? 0 : integer_at(sums + static_cast<std::ptrdiff_t>(m) * sum_bytes, sum_bytes);
  const int positions = kernel * kernel, all = command.input_blocks * positions;
  const std::int64_t first = command.weights + std::int64_t{block} * all;
  const int end = command.taps > 0 ? command.first_tap + command.taps : all;
  for (int tap = command.first_tap; tap < end; ++tap) {
    const int kr = tap % positions / kernel, kc = tap % kernel;
    gather(command, tap / positions * config_.array.tn, row * command.stride + kr, column * command.stride + kc,
           picture);
    const std::uint8_t* weights = buffers_.weights.data() + (first + tap) * weight_block_bytes(config_);
    config_.data.type == DataType::float32 ? multiply_floats(weights) : multiply_integers(weights);
  }
  for (std::size_t m = 0; m < sums_.size(); ++m)
    put_integer(partial(sums_[m], config_), sums + static_cast<std::ptrdiff_t>(m) * sum_bytes, sum_bytes);
}

void ComputeUnit::multiply_integers(const std::uint8_t* weights) {
  const int bytes = config_.data.bytes();
  for (std::int64_t& sum : sums_) {
    for (std::int32_t& weight : weights_) {
      weight = value_at(weights, bytes, false);
      weights += bytes;
    }
    sum += step_of(inputs_.data(), weights_.data(), config_.array.tn);
  }
}

void ComputeUnit::multiply_floats(const std::uint8_t* weights) {
  for (std::int64_t& sum : sums_) {
    for (std::size_t n = 0; n < products_.size(); ++n, weights += 4)
      products_[n] = float_of(inputs_[n]) * float_of(integer_at(weights, 4));
    sum = bits_of(float_of(sum) + tree_of(products_.data(), config_.array.tn));
  }
}

void ComputeUnit::pool(const Command& command, int block, int row, int column, int picture) {
  const int channels = config_.block(), bytes = config_.data.bytes(), sum_bytes = config_.sum_bytes();
  std::uint8_t* sums = sum(command, block, row, column, picture);
  for (int m = 0; m < config_.array.tm; ++m, sums += sum_bytes) {
    const int channel = block * config_.array.tm + m, plane = channel / channels;
    bool any = !command.fresh;
    std::int64_t largest = any ? integer_at(sums, sum_bytes) : 0;
    if (plane < command.inputs.planes)
      for (int kr = 0; kr < command.kernel; ++kr)
        for (int kc = 0; kc < command.kernel; ++kc) {
          const std::uint8_t* vector =
              buffers_.inputs.at(command.inputs, plane, row * command.stride + kr, column * command.stride + kc);
          const std::int64_t value =
              value_at(vector + (picture * channels + channel % channels) * bytes, bytes, layer().in_unsigned);
          largest = any ? larger(largest, value, config_.data.type) : value;
          any = true;
        }
    put_integer(largest, sums, sum_bytes);
  }
}

}  // namespace fansim::decoupled

// SPDX-License-Identifier: Apache-2.0
#include "accelerators/decoupled/values/command_values.h"

#include <algorithm>
#include <limits>

#include "kernels/tile_mac.h"

namespace fansim::decoupled {
namespace {

constexpr std::size_t size(std::int64_t count) { return static_cast<std::size_t>(count); }

void add_products(const std::int16_t* x, const std::int16_t* w, int products, int channels, std::int32_t* sums) {
  kernels::multiply_add(x, w, products / 2, channels, sums);
}
void add_products(const std::int16_t* x, const std::int16_t* w, int products, int channels, std::int64_t* sums) {
  kernels::multiply_add_wide(x, w, products / 2, channels, sums);
}
void add_products(const float* x, const float* w, int products, int channels, float* sums) {
  kernels::multiply_tree(x, w, products, channels, sums);
}

}  // namespace

template <class Sum>
CommandValues<Sum>::CommandValues(const Config& config, const DecoupledLayer& layer, std::uint8_t* memory)
    : config_(config),
      layer_(layer),
      memory_(memory),
      block_(config.block()),
      batch_(config.array.batch),
      tm_(config.array.tm),
      tn_(config.array.tn),
      bytes_(config.data.bytes()),
      padded_(base::round_up(tn_, kFloats ? kernels::kTreeLanes : 2)),
      lanes_(base::round_up(tm_, kernels::kTileChannels)),
      raise_(layer.in_unsigned && bytes_ == 2 ? 1 << 15 : 0),
      parameters_(layer.parameters) {}

template <class Sum>
void CommandValues<Sum>::run(const Command& command) {
  switch (command.action) {
    case Action::load_inputs:
      return load_inputs(command);
    case Action::load_weights:
      return load_weights(command);
    case Action::load_parameters:
      return load_parameters(command);
    case Action::load_sums:
      return load_sums(command);
    case Action::multiply:
      return multiply(command);
    case Action::pool:
      return pool(command);
    case Action::post:
      return;
    case Action::store:
      return store(command);
    case Action::store_sums:
      return store_sums(command);
  }
}

template <class Sum>
typename CommandValues<Sum>::Value CommandValues<Sum>::held(std::int32_t word) const {
  if constexpr (kFloats) return float_of(word);
  return static_cast<Value>(word - raise_);
}

// Returns floats unchanged: adding the raise would change the sign of a zero.
template <class Sum>
Sum CommandValues<Sum>::read(Value value) const {
  if constexpr (kFloats) return value;
  return static_cast<Sum>(value) + static_cast<Sum>(raise_);
}

template <class Sum>
typename CommandValues<Sum>::Value CommandValues<Sum>::input(const std::uint8_t* bytes) const {
  return held(value_at(bytes, bytes_, layer_.in_unsigned));
}

template <class Sum>
Sum CommandValues<Sum>::sum_of(const std::uint8_t* bytes) const {
  const std::int64_t word = integer_at(bytes, config_.sum_bytes());
  if constexpr (kFloats) return float_of(word);
  return static_cast<Sum>(word);
}

// Converts a sum to the form that arithmetic.h uses.
template <class Sum>
std::int64_t CommandValues<Sum>::word_of(Sum sum) {
  if constexpr (kFloats) return bits_of(sum);
  return static_cast<std::int64_t>(sum);
}

template <class Sum>
std::size_t CommandValues<Sum>::place(int m, int n) const {
  return size(kFloats ? n * lanes_ + m : (n / 2 * lanes_ + m) * 2 + n % 2);
}

template <class Sum>
typename CommandValues<Sum>::Value* CommandValues<Sum>::inputs_at(std::int64_t vector) {
  const std::int64_t values = std::int64_t{batch_} * block_;
  if (inputs_.size() < size((vector + 1) * values)) inputs_.resize(size((vector + 1) * values));
  return &inputs_[size(vector * values)];
}

template <class Sum>
Sum* CommandValues<Sum>::sums_at(std::int64_t vector, int picture) {
  const std::int64_t values = std::int64_t{batch_} * lanes_;
  if (sums_.size() < size((vector + 1) * values)) sums_.resize(size((vector + 1) * values));
  return &sums_[size(vector * values + std::int64_t{picture} * lanes_)];
}

template <class Sum>
std::int64_t CommandValues<Sum>::vector_of(const Tile& tile, int plane, int row, int column) {
  return tile.first + std::int64_t{plane} * tile.plane + std::int64_t{(tile.row + row) % tile.ring} * tile.columns +
         column;
}

template <class Sum>
void CommandValues<Sum>::load_inputs(const Command& command) {
  const Tile& tile = command.inputs;
  const Border& border = command.border;
  const contract::RowTransfers& from = command.planes.rows;
  const Value outside = held(layer_.zero_point);
  const int values = batch_ * block_;
  for (int plane = 0; plane < tile.planes; ++plane)
    for (int row = 0; row < tile.rows; ++row) {
      const bool in_rows = row >= border.top && row < tile.rows - border.bottom;
      const std::uint8_t* bytes = memory_ + from.address + std::int64_t{plane} * command.planes.plane_pitch +
                                  std::int64_t{row - border.top} * from.pitch;
      for (int column = 0; column < tile.columns; ++column) {
        Value* const to = inputs_at(vector_of(tile, plane, row, column));
        if (!in_rows || column < border.left || column >= tile.columns - border.right) {
          std::fill(to, to + values, outside);
          continue;
        }
        for (int i = 0; i < values; ++i, bytes += bytes_) to[i] = input(bytes);
      }
    }
}

template <class Sum>
void CommandValues<Sum>::load_weights(const Command& command) {
  const std::int64_t block_values = std::int64_t{padded_} * lanes_;
  const contract::RowTransfers& from = command.planes.rows;
  std::int64_t block = command.weights;
  for (int plane = 0; plane < command.planes.planes; ++plane)
    for (std::uint32_t row = 0; row < from.rows; ++row) {
      const std::uint8_t* bytes =
          memory_ + from.address + std::int64_t{plane} * command.planes.plane_pitch + std::int64_t{row} * from.pitch;
      const std::uint8_t* const end = bytes + from.row_bytes;
      for (; bytes < end; ++block) {
        if (weights_.size() < size((block + 1) * block_values)) weights_.resize(size((block + 1) * block_values));
        Value* const to = &weights_[size(block * block_values)];
        for (int m = 0; m < tm_; ++m)
          for (int n = 0; n < tn_; ++n, bytes += bytes_) {
            const std::int32_t word = value_at(bytes, bytes_, false);
            if constexpr (kFloats)
              to[place(m, n)] = float_of(word);
            else
              to[place(m, n)] = static_cast<Value>(word);
          }
      }
    }
}

template <class Sum>
void CommandValues<Sum>::load_parameters(const Command& command) {
  const std::size_t last = size(std::int64_t{command.parameters} + command.channels);
  if (parameters_.size() < last) parameters_.resize(last);
  const std::uint8_t* record = memory_ + command.planes.rows.address;
  for (std::size_t i = size(command.parameters); i < last; ++i, record += kParameterBytes)
    parameters_[i] = parameters_at(record);
}

template <class Sum>
template <class F>
void CommandValues<Sum>::each_run(const Command& command, int run, int value_bytes, F f) {
  const contract::RowTransfers& rows = command.planes.rows;
  for (int plane = 0; plane < command.planes.planes; ++plane)
    for (int row = 0; row < static_cast<int>(rows.rows); ++row) {
      std::uint8_t* bytes =
          memory_ + rows.address + std::int64_t{plane} * command.planes.plane_pitch + std::int64_t{row} * rows.pitch;
      for (int column = 0; column < command.sums.columns; ++column)
        for (int picture = 0; picture < batch_; ++picture, bytes += run * value_bytes) {
          const int channel = plane * run;  // within a block of tm
          Sum* const sums = sums_at(vector_of(command.sums, channel / tm_, row, column), picture) + channel % tm_;
          f(bytes, channel, sums);
        }
    }
}

template <class Sum>
void CommandValues<Sum>::load_sums(const Command& command) {
  const int bytes = config_.sum_bytes();
  each_run(command, tm_, bytes, [&](const std::uint8_t* from, int, Sum* sums) {
    for (int i = 0; i < tm_; ++i) sums[i] = sum_of(from + i * bytes);
  });
}

template <class Sum>
void CommandValues<Sum>::store_sums(const Command& command) {
  const int bytes = config_.sum_bytes();
  each_run(command, tm_, bytes, [&](std::uint8_t* to, int, const Sum* sums) {
    for (int i = 0; i < tm_; ++i) put_integer(partial(word_of(sums[i]), config_), to + i * bytes, bytes);
  });
}

template <class Sum>
void CommandValues<Sum>::store(const Command& command) {
  const ChannelParameters none;
  arith::Saturation of_others;
  int picture = 0;  // the first one's saturation counts, for a batch holds copies of it
  each_run(command, block_, bytes_, [&](std::uint8_t* to, int channel, const Sum* sums) {
    arith::Saturation& seen = picture == 0 ? saturation_ : of_others;
    picture = picture + 1 == batch_ ? 0 : picture + 1;
    for (int i = 0; i < block_; ++i) {
      std::int32_t value = 0;
      if (channel + i < command.channels) {
        const auto at = size(std::int64_t{command.parameters} + channel + i);
        const std::int64_t word = word_of(sums[i]);
        value = stored_value(layer_.weighs ? partial(word, config_) : word, layer_.weighs ? parameters_.at(at) : none,
                             layer_, config_, seen);
      }
      put_integer(value, to + i * bytes_, bytes_);
    }
  });
}

// Gathers inputs; channels that do not exist count as 0.
template <class Sum>
void CommandValues<Sum>::gather(const Command& command, int rows, int columns) {
  const Tile& tile = command.inputs;
  const int run = std::min(block_, tn_), padded = padded_;
  gathered_.assign(size(std::int64_t{command.input_blocks} * rows * columns * batch_ * padded), 0);
  for (int first = 0; first < command.input_blocks * tn_; first += run) {
    if (first / block_ >= tile.planes) break;
    for (int row = 0; row < rows; ++row) {
      Value* to = &gathered_[size((std::int64_t{first / tn_} * rows + row) * columns * batch_ * padded + first % tn_)];
      const Value* from = inputs_at(vector_of(tile, first / block_, row, columns - 1));
      from -= std::int64_t{columns - 1} * batch_ * block_ - first % block_;
      for (int i = 0; i < columns * batch_; ++i, from += block_, to += padded) std::copy(from, from + run, to);
    }
  }
}

// Adds what the sums lack because inputs are held less the raise.
template <class Sum>
void CommandValues<Sum>::add_raise(const Command& command, int first, int last, int output_block) {
  if constexpr (!kFloats) {
    using Modular = std::make_unsigned_t<Sum>;  // sums wrap around
    std::vector<Modular> raise(size(lanes_));
    const std::int64_t values = std::int64_t{padded_} * lanes_;
    for (int tap = first; tap < last; ++tap) {
      const std::int64_t block =
          command.weights + std::int64_t{output_block} * command.input_blocks * command.kernel * command.kernel + tap;
      for (int pair = 0; pair < padded_ / 2; ++pair)
        for (int m = 0; m < 2 * lanes_; ++m)
          raise[size(m / 2)] += static_cast<Modular>(weights_[size(block * values + pair * 2 * lanes_ + m)]) *
                                static_cast<Modular>(raise_);
    }
    for (int row = 0; row < command.sums.rows; ++row)
      for (int column = 0; column < command.sums.columns; ++column)
        for (int picture = 0; picture < batch_; ++picture) {
          Sum* const sums = sums_at(vector_of(command.sums, output_block, row, column), picture);
          for (int m = 0; m < lanes_; ++m) sums[m] = static_cast<Sum>(static_cast<Modular>(sums[m]) + raise[size(m)]);
        }
  }
}

template <class Sum>
void CommandValues<Sum>::multiply(const Command& command) {
  const int kernel = command.kernel, stride = command.stride, places = kernel * kernel, padded = padded_;
  const Tile& out = command.sums;
  const int rows = (out.rows - 1) * stride + kernel, columns = (out.columns - 1) * stride + kernel;
  const int all = command.input_blocks * places;
  const int first = command.first_tap, last = command.taps == 0 ? all : first + command.taps;
  gather(command, rows, columns);
  const std::int64_t block_values = std::int64_t{padded_} * lanes_;
  for (int m = 0; m < command.output_blocks; ++m) {
    sums_at(vector_of(out, m, out.rows - 1, out.columns - 1), batch_ - 1);  // makes sure that the sums exist
    if (command.fresh)
      for (int row = 0; row < out.rows; ++row)
        std::fill_n(sums_at(vector_of(out, m, row, 0), 0), std::int64_t{out.columns} * batch_ * lanes_, Sum{});
    // Multiplies a row of the kernel at once if its columns are adjacent. With floats each place is a step of its own.
    for (int tap = first, taps = 1; tap < last; tap += taps) {
      const int block = tap / places, kr = tap % places / kernel, kc = tap % kernel;
      taps = batch_ == 1 && !kFloats ? std::min(kernel - kc, last - tap) : 1;
      const Value* const weights = &weights_[size((command.weights + std::int64_t{m} * all + tap) * block_values)];
      for (int row = 0; row < out.rows; ++row) {
        const Value* x =
            &gathered_[size(((std::int64_t{block} * rows + row * stride + kr) * columns + kc) * batch_ * padded)];
        Sum* sums = sums_at(vector_of(out, m, row, 0), 0);
        for (int column = 0; column < out.columns; ++column, x += std::int64_t{stride} * batch_ * padded)
          for (int picture = 0; picture < batch_; ++picture, sums += lanes_)
            add_products(x + std::int64_t{picture} * padded, weights, taps * padded, lanes_, sums);
      }
    }
    if (raise_ > 0) add_raise(command, first, last, m);
  }
}

template <class Sum>
void CommandValues<Sum>::pool(const Command& command) {
  const Tile &in = command.inputs, &out = command.sums;
  for (int plane = 0; plane < in.planes; ++plane) {
    const int channel = plane * block_;
    for (int row = 0; row < out.rows; ++row)
      for (int column = 0; column < out.columns; ++column)
        for (int picture = 0; picture < batch_; ++picture) {
          Sum* const sums = sums_at(vector_of(out, channel / tm_, row, column), picture) + channel % tm_;
          if (command.fresh)
            std::fill_n(sums, block_,
                        kFloats ? -std::numeric_limits<Sum>::infinity() : std::numeric_limits<Sum>::min());
          for (int kr = 0; kr < command.kernel; ++kr)
            for (int kc = 0; kc < command.kernel; ++kc) {
              const Value* const x =
                  inputs_at(vector_of(in, plane, row * command.stride + kr, column * command.stride + kc)) +
                  picture * block_;
              for (int i = 0; i < block_; ++i) sums[i] = std::max(sums[i], read(x[i]));
            }
        }
  }
}

template class CommandValues<std::int32_t>;
template class CommandValues<std::int64_t>;
template class CommandValues<float>;

}  // namespace fansim::decoupled

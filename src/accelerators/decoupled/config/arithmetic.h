// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "accelerators/decoupled/config/command.h"
#include "accelerators/decoupled/config/config.h"
#include "arith/requantise.h"

// This file defines what the machine computes, for both engines. A value is a code or, with float32, the bits of a
// float. A sum is an integer or the bits of a float.
namespace fansim::decoupled {

inline float float_of(std::int64_t bits) {
  const auto low = static_cast<std::uint32_t>(bits);
  float value = 0;
  std::memcpy(&value, &low, sizeof value);
  return value;
}
inline std::int32_t bits_of(float value) {
  std::int32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

// Convert `count` bytes, little-endian two's complement, to an integer and back.
inline std::int64_t integer_at(const std::uint8_t* bytes, int count) {
  std::uint64_t value = 0;
  for (int i = 0; i < count; ++i) value |= static_cast<std::uint64_t>(bytes[i]) << (8 * i);
  return arith::wrap(static_cast<std::int64_t>(value), 8 * count);
}
inline void put_integer(std::int64_t value, std::uint8_t* bytes, int count) {
  for (int i = 0; i < count; ++i) bytes[i] = static_cast<std::uint8_t>(static_cast<std::uint64_t>(value) >> (8 * i));
}

inline std::int32_t value_at(const std::uint8_t* bytes, int count, bool is_unsigned) {
  const auto value = static_cast<std::int32_t>(integer_at(bytes, count));
  return is_unsigned && count < 4 ? value & ((1 << 8 * count) - 1) : value;
}

// Converts a sum to a partial sum in memory: `accumulator_bits` wide, or a float.
inline std::int64_t partial(std::int64_t sum, const Config& config) {
  return config.data.type == DataType::float32 ? sum : arith::wrap(sum, config.quantiser.accumulator_bits);
}

// Returns the larger of two values.
inline std::int64_t larger(std::int64_t a, std::int64_t b, DataType type) {
  return (type == DataType::float32 ? float_of(a) < float_of(b) : a < b) ? b : a;
}

// Compute what a step adds to a sum. Products of floats are added in a tree of adjacent pairs; an odd last product
// moves up unchanged.
inline std::int64_t step_of(const std::int32_t* inputs, const std::int32_t* weights, int tn) {
  std::int64_t sum = 0;
  for (int n = 0; n < tn; ++n) sum += std::int64_t{inputs[n]} * weights[n];
  return sum;
}
inline float tree_of(float* products, int count) {
  for (; count > 1; count = (count + 1) / 2) {
    for (int n = 0; n < count / 2; ++n) products[n] = products[2 * n] + products[2 * n + 1];
    if (count % 2 == 1) products[count / 2] = products[count - 1];
  }
  return products[0];
}

// Write and read a record of parameters in memory. The bias of a float is stored as its bits.
inline void put_parameters(const ChannelParameters& channel, std::uint8_t* bytes) {
  put_integer(channel.bias, bytes, 4);
  put_integer(channel.scale, bytes + 4, 2);
  put_integer(channel.shift, bytes + 6, 1);
  put_integer(channel.bias >> 32, bytes + 7, 1);
}
inline ChannelParameters parameters_at(const std::uint8_t* bytes) {
  const std::int64_t low = integer_at(bytes, 4) & 0xFFFFFFFF;
  return {low | static_cast<std::int64_t>(static_cast<std::uint64_t>(integer_at(bytes + 7, 1)) << 32),
          static_cast<int>(integer_at(bytes + 4, 2)), static_cast<int>(integer_at(bytes + 6, 1) & 0xFF)};
}

// Computes the stored value of a sum. If the layer has weights, it applies the bias, scale and shift of the channel.
// Then it applies ReLU, then the function: a function of floats, or the code table, which begins at the lowest code.
// What saturates is added to `seen`.
inline std::int32_t stored_value(std::int64_t sum, const ChannelParameters& channel, const DecoupledLayer& layer,
                                 const Config& config, arith::Saturation& seen) {
  if (config.data.type == DataType::float32) {
    float value = float_of(sum);
    if (layer.weighs) value += float_of(channel.bias);
    if (layer.relu) value = std::max(value, 0.0F);
    return bits_of(layer.float_function ? layer.float_function(value) : value);
  }
  auto value = static_cast<std::int32_t>(sum);
  if (layer.weighs) {
    arith::Requantise out = layer.out;
    out.scale = channel.scale;
    out.shift = channel.shift;
    value = arith::requantise(sum + channel.bias, out, config.quantiser);
    arith::count(sum + channel.bias, out, config.quantiser, layer.relu, seen);
  }
  if (layer.relu) value = std::max(value, layer.out.zero_point);
  if (layer.code_table.empty()) return value;
  const int lowest = layer.out.is_unsigned ? 0 : -(1 << (layer.out.bits - 1));
  return layer.code_table.at(static_cast<std::size_t>(value - lowest));
}

}  // namespace fansim::decoupled

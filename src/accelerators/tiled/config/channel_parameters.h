// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>

namespace fansim::tiled {

// Holds the bias and requantisation of one output channel of the tiled accelerator. In memory it takes 8 bytes,
// little-endian: bytes 0 to 3 and 7 are the bias, 4 and 5 the scale, 6 the shift. With sums in single precision, bytes
// 0 to 3 are the bias and 4 to 7 the scale.
struct ChannelParameters {
  static constexpr int kBiasBits = 40;  // a zero point times a layer's weights of 16 bits needs more than 32
  std::int64_t bias = 0;
  std::int16_t scale = 1;
  std::uint8_t shift = 0;
  float float_bias = 0;
  float float_scale = 1;
};

inline ChannelParameters parameters_of(const std::uint8_t* record) {
  ChannelParameters channel;
  std::uint32_t low;
  std::memcpy(&low, record, sizeof low);
  channel.bias = std::int64_t{static_cast<std::int8_t>(record[7])} * (std::int64_t{1} << 32) + low;
  std::memcpy(&channel.scale, record + 4, sizeof channel.scale);
  channel.shift = record[6];
  std::memcpy(&channel.float_bias, record, sizeof channel.float_bias);
  std::memcpy(&channel.float_scale, record + 4, sizeof channel.float_scale);
  return channel;
}

}  // namespace fansim::tiled

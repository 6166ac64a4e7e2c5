// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>

namespace fansim::arch {

// Bias and requantisation of one output channel of the tiled accelerator; 8 bytes in memory, little-endian.
struct ChannelParameters {
  std::int32_t bias = 0;  // float_sum: the bits of a float
  std::int16_t scale = 1;
  std::uint8_t shift = 0;
  float float_scale = 1;  // float_sum: bytes 4 to 7
};

inline ChannelParameters parameters_of(const std::uint8_t* record) {
  ChannelParameters channel;
  std::memcpy(&channel.bias, record, sizeof channel.bias);
  std::memcpy(&channel.scale, record + 4, sizeof channel.scale);
  channel.shift = record[6];
  std::memcpy(&channel.float_scale, record + 4, sizeof channel.float_scale);
  return channel;
}

}  // namespace fansim::arch

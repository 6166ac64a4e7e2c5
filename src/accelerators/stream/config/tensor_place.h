// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "contract/program.h"

namespace fansim::stream {

// Says where a tensor lies in DDR, with values of one or two bytes. A map consists of planes of `lanes` channels, each
// [rows][columns][lanes] with its border; `address` is that of the first byte inside the border. A sequence consists of
// [steps] vectors, `row_pitch` bytes apart.
class TensorPlace final : public contract::StoredTensor {
 public:
  std::uint32_t address = 0;
  int channels = 0, height = 1, width = 1;
  int lanes = 8;
  int value_bytes = 1;
  int row_pitch = 0;
  int plane_pitch = 0;
  bool sequence = false;
  bool is_unsigned = false;

  std::uint32_t at(int channel, int row, int column) const {
    return address + static_cast<std::uint32_t>(channel / lanes * plane_pitch + row * row_pitch +
                                                (column * lanes + channel % lanes) * value_bytes);
  }
  // Returns an address in a sequence: steps are rows, and features are channels that follow one another.
  std::uint32_t at(int step, int feature) const {
    return address + static_cast<std::uint32_t>(step * row_pitch + feature * value_bytes);
  }

  std::vector<std::int32_t> values(const std::uint8_t* memory) const override {
    if (value_bytes == 2) return is_unsigned ? all<std::uint16_t>(memory) : all<std::int16_t>(memory);
    return is_unsigned ? all<std::uint8_t>(memory) : all<std::int8_t>(memory);
  }

 private:
  template <class Value>
  std::vector<std::int32_t> all(const std::uint8_t* memory) const {
    std::vector<std::int32_t> values(static_cast<std::size_t>(channels) * static_cast<std::size_t>(height * width));
    std::int32_t* to = values.data();
    const auto take = [&to](const std::uint8_t* from, int count, int step) {
      for (int i = 0; i < count; ++i, from += step) {
        Value value;
        std::memcpy(&value, from, sizeof value);
        *to++ = value;
      }
    };
    if (sequence) {
      for (int step = 0; step < height; ++step) take(memory + at(step, 0), channels, value_bytes);
      return values;
    }
    for (int channel = 0; channel < channels; ++channel)
      for (int row = 0; row < height; ++row) take(memory + at(channel, row, 0), width, lanes * value_bytes);
    return values;
  }
};

}  // namespace fansim::stream

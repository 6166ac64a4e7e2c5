// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "contract/program.h"

namespace fansim::stream {

// Where a tensor lies in DDR, in values of one or two bytes. A map is planes of `lanes` channels, each
// [rows][columns][lanes] with its border; `address` is that of the first byte inside the border. A sequence is [steps]
// vectors `row_pitch` bytes apart.
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
  // Of a sequence: steps are rows, features are channels packed one after another.
  std::uint32_t at(int step, int feature) const {
    return address + static_cast<std::uint32_t>(step * row_pitch + feature * value_bytes);
  }

  std::vector<std::int32_t> values(const std::uint8_t* memory) const override {
    std::vector<std::int32_t> all;
    const auto add = [&](std::uint32_t byte) {
      if (value_bytes == 2) {
        std::int16_t value;
        std::memcpy(&value, memory + byte, 2);
        all.push_back(is_unsigned ? static_cast<std::uint16_t>(value) : value);
      } else {
        all.push_back(is_unsigned ? memory[byte] : static_cast<std::int8_t>(memory[byte]));
      }
    };
    all.reserve(static_cast<std::size_t>(channels) * static_cast<std::size_t>(height * width));
    if (sequence) {
      for (int step = 0; step < height; ++step)
        for (int feature = 0; feature < channels; ++feature) add(at(step, feature));
      return all;
    }
    for (int channel = 0; channel < channels; ++channel)
      for (int row = 0; row < height; ++row)
        for (int column = 0; column < width; ++column) add(at(channel, row, column));
    return all;
  }
};

}  // namespace fansim::stream

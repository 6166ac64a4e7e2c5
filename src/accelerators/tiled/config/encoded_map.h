// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/tiled/config/packing.h"
#include "accelerators/tiled/config/tile_nest.h"
#include "contract/program.h"

namespace fansim::tiled {

// Describes a map as the tiled accelerator keeps it in memory. Its words are the same for beats of any width.
class EncodedMap final : public contract::StoredTensor {
 public:
  MapPlace place;
  Encoding encoding;
  bool is_unsigned = false;

  // Returns the word that holds a value, and the value's number in it. `memory` is byte 0 of the memory.
  std::size_t word(int channel, int y, int x) const {
    const std::int64_t word = place.index(channel, y, x) / encoding.per_word();
    return place.block(channel) + static_cast<std::size_t>(word * encoding.word_bits / 8);
  }
  int in_word(int channel, int y, int x) const {
    return static_cast<int>(place.index(channel, y, x) % encoding.per_word());
  }

  std::vector<std::int32_t> values(const std::uint8_t* memory) const override {
    std::vector<std::int32_t> all(static_cast<std::size_t>(place.channels) *
                                  static_cast<std::size_t>(place.rows * place.columns));
    std::vector<std::uint16_t> codes(static_cast<std::size_t>(place.columns));
    const int at_once = encoding.byte_addressable() ? place.columns : 1;
    std::int32_t* to = all.data();
    for (int channel = 0; channel < place.channels; ++channel)
      for (int row = 0; row < place.rows; ++row) {
        for (int x = 0; x < place.columns; x += at_once)
          unpack(memory + word(channel, row, x), encoding, in_word(channel, row, x), at_once,
                 &codes[static_cast<std::size_t>(x)]);
        for (const std::uint16_t code : codes) *to++ = value(code);
      }
    return all;
  }
  int value(const std::uint8_t* memory, int channel, int y, int x) const {
    std::uint16_t code = 0;
    unpack(memory + word(channel, y, x), encoding, in_word(channel, y, x), 1, &code);
    return value(code);
  }
  void set(std::uint8_t* memory, int channel, int y, int x, int value) const {
    const std::uint16_t code = code_of(static_cast<std::int16_t>(value), encoding.value_bits);
    pack(&code, encoding, in_word(channel, y, x), 1, memory + word(channel, y, x));
  }

 private:
  int value(std::uint16_t code) const {
    const std::int16_t value = value_of(code, encoding.value_bits, is_unsigned);
    return is_unsigned ? static_cast<std::uint16_t>(value) : value;
  }
};

}  // namespace fansim::tiled

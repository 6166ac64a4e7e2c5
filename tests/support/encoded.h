// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "accelerators/tiled/config/encoding.h"
#include "base/random.h"

// Encoded beats the slow way, bit by bit, for tests to compare with.
namespace fansim::test {

inline std::uint16_t bits_of(const std::uint8_t* bytes, int bit, int width) {
  unsigned value = 0;
  for (int i = width - 1; i >= 0; --i) value = value << 1 | (bytes[(bit + i) / 8] >> (bit + i) % 8 & 1U);
  return static_cast<std::uint16_t>(value);
}

inline void set_bits(std::uint8_t* bytes, int bit, int width, unsigned value) {
  for (int i = 0; i < width; ++i) {
    const auto mask = static_cast<std::uint8_t>(1U << (bit + i) % 8);
    std::uint8_t& byte = bytes[(bit + i) / 8];
    byte = static_cast<std::uint8_t>((value >> i & 1U) != 0 ? byte | mask : byte & ~mask);
  }
}

// Returns the first bit of every value of a beat: the next free one, or that of the next word if this one has too few
// bits left.
inline std::vector<int> places(const tiled::Encoding& e) {
  std::vector<int> bits;
  for (int at = 0; at + e.slot_bits <= e.beat_bits; at += e.slot_bits) {
    const int left = e.word_bits - at % e.word_bits;
    if (left < e.slot_bits) at += left;
    if (at + e.slot_bits <= e.beat_bits) bits.push_back(at);
  }
  return bits;
}

inline std::vector<std::uint16_t> random_codes(std::size_t count, int bits, base::Random& random) {
  std::vector<std::uint16_t> codes(count);
  for (std::uint16_t& code : codes) code = static_cast<std::uint16_t>(random.uniform(0, (1 << bits) - 1));
  return codes;
}

// Returns graded and width-independent encodings, with values that fill words and that do not, unencoded ones, and
// narrow and wide beats.
inline std::vector<tiled::Encoding> encodings() {
  std::vector<tiled::Encoding> all;
  for (int beat : {8, 32, 64, 256})
    for (int value : {1, 2, 3, 5, 8}) {
      all.push_back(tiled::graded(value, 32, beat, true));
      all.push_back(tiled::graded(value, 8, beat, true));
      all.push_back(tiled::width_independent(value, beat, true));
    }
  for (int beat : {32, 128, 512}) {
    for (int value : {11, 15, 16}) all.push_back(tiled::graded(value, 32, beat, true));
    for (int value : {4, 12}) all.push_back(tiled::graded(value, 32, beat, false));
    all.push_back(tiled::width_independent(12, beat, true));
  }
  return all;
}

}  // namespace fansim::test

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "accelerators/tiled/config/encoding.h"

namespace fansim::tiled {

// Convert codes [first, first + count) of a beat from its bytes and to them. Codes that have bytes of their own may
// extend over as many beats as they take. pack() leaves all other bits unchanged.
void unpack(const std::uint8_t* beat, const Encoding& encoding, int first, int count, std::uint16_t* codes);
void pack(const std::uint16_t* codes, const Encoding& encoding, int first, int count, std::uint8_t* beat);
// Returns the bytes of a beat in which these codes have a bit.
std::uint64_t strobe(const Encoding& encoding, int first, int count);
// Counts these bytes over a run's beats.
std::int64_t strobed_bytes(const Encoding& encoding, const Extent& run);

// Convert an array of codes to whole beats.
void pack(const std::vector<std::uint16_t>& codes, const Encoding& encoding, std::uint8_t* beats);
std::vector<std::uint8_t> pack(const std::vector<std::uint16_t>& codes, const Encoding& encoding);
std::vector<std::uint16_t> unpack(const std::vector<std::uint8_t>& bytes, const Encoding& encoding, std::int64_t count);

// Convert a code of `bits` bits to its value, and back.
inline std::int16_t value_of(std::uint16_t code, int bits, bool is_unsigned) {
  const int unused = is_unsigned ? 0 : 16 - bits;
  return static_cast<std::int16_t>(static_cast<std::int16_t>(code << unused) >> unused);
}
inline std::uint16_t code_of(std::int16_t value, int bits) {
  return static_cast<std::uint16_t>(value & ((1 << bits) - 1));
}

}  // namespace fansim::tiled

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/units.h"
#include "contract/extent.h"

namespace fansim::tiled {

// Describes how values of few bits lie in the wide beats of a memory port (FAQ-CNN 2.3). Graded encoding: values fill
// words of `word_bits` bits (q, usually 32), and words fill beats (h). Encoding independent of the width: values fill
// beats (q = h). Bits that are too few for another value are zero. Without encoding, a value has a slot of whole bytes.
struct Encoding {
  int value_bits = 8;  // l
  int slot_bits = 8;   // bits that a value takes: l, or 8 or 16 without encoding
  int word_bits = 32;  // q
  int beat_bits = 32;  // h, a multiple of q

  int beat_bytes() const { return beat_bits / 8; }
  int per_word() const { return word_bits / slot_bits; }
  int per_beat() const { return beat_bits / word_bits * per_word(); }
  // Returns whether bytes can be written separately, so that a run of values may begin anywhere.
  bool byte_addressable() const { return slot_bits % 8 == 0 && word_bits % slot_bits == 0; }
  std::int64_t beats(std::int64_t values) const { return (values + per_beat() - 1) / per_beat(); }
  // Returns the first bit of value i of a beat.
  int bit_of(int i) const { return i / per_word() * word_bits + i % per_word() * slot_bits; }
};

inline int slot_bits(int value_bits, bool encoded) { return encoded ? value_bits : value_bits <= 8 ? 8 : 16; }

inline Encoding graded(int value_bits, int word_bits, int beat_bits, bool encoded) {
  return {value_bits, slot_bits(value_bits, encoded), std::min(word_bits, beat_bits), beat_bits};
}
inline Encoding width_independent(int value_bits, int beat_bits, bool encoded) {
  return {value_bits, slot_bits(value_bits, encoded), beat_bits, beat_bits};
}

using contract::Extent;

// Returns the run of values [first, first + values) in an array that begins at `base`, which must be aligned to the
// beat.
inline Extent run_of(std::uint32_t base, std::int64_t first, std::int64_t values, const Encoding& e) {
  const std::int64_t beat = first / e.per_beat();
  const int skip = static_cast<int>(first % e.per_beat());
  return {base + static_cast<std::uint32_t>(beat * e.beat_bytes()), static_cast<int>(e.beats(skip + values)), skip,
          static_cast<int>(values), false};
}

}  // namespace fansim::tiled

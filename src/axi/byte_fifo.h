// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "axi/types.h"

namespace fansim::axi {

// The RAM of a FIFO. A beat at a time is written and read, each at any byte position; positions count up for ever. It
// holds `capacity` bytes plus one beat of slack: a whole beat is always moved, and what exceeds its valid bytes lands
// in the slack. The owner keeps track of which positions are filled.
class ByteFifo {
 public:
  ByteFifo(std::size_t capacity, int beat_bytes) : narrow_(static_cast<std::size_t>(beat_bytes) <= kNarrow) {
    std::size_t size = kWide;
    while (size < capacity + kWide) size *= 2;
    bytes_.resize(size + kWide);
    mask_ = size - 1;
  }

  void write(std::int64_t position, const BeatBytes& beat) {
    if (narrow_)
      write<kNarrow>(index(position), beat);
    else
      write<kWide>(index(position), beat);
  }
  void read(std::int64_t position, BeatBytes& beat) const {
    const std::uint8_t* from = &bytes_[index(position)];
    if (narrow_)
      std::memcpy(beat.data(), from, kNarrow);
    else
      std::memcpy(beat.data(), from, kWide);
  }

 private:
  static constexpr std::size_t kWide = contract::AxiConfig::kMaxBeatBytes, kNarrow = 16;
  std::size_t index(std::int64_t position) const { return static_cast<std::size_t>(position) & mask_; }

  template <std::size_t Size>
  void write(std::size_t at, const BeatBytes& beat) {
    std::memcpy(&bytes_[at], beat.data(), Size);
    const std::size_t size = mask_ + 1;
    if (at + Size > size) std::memcpy(&bytes_[0], &bytes_[size], at + Size - size);
    if (at < Size) std::memcpy(&bytes_[size + at], &bytes_[at], Size - at);
  }

  const bool narrow_;                // beats of 128 bits and less are copied as 128 bits
  std::vector<std::uint8_t> bytes_;  // the first beat is repeated behind the last one
  std::size_t mask_ = 0;
};

}  // namespace fansim::axi

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "axi/types.h"

namespace fansim::axi {

// The RAM of a FIFO that is written and read a beat at a time, each at any byte position; positions count up for ever.
// It holds `capacity` bytes plus one beat of slack: a whole beat is always moved, and what exceeds its valid bytes
// lands in the slack. Which positions are filled and free is the owner's business.
class ByteFifo {
 public:
  explicit ByteFifo(std::size_t capacity) {
    std::size_t size = kBeat;
    while (size < capacity + kBeat) size *= 2;
    bytes_.resize(size + kBeat);
    mask_ = size - 1;
  }

  void write(std::int64_t position, const BeatBytes& beat) {
    const std::size_t at = index(position);
    std::memcpy(&bytes_[at], beat.data(), kBeat);
    const std::size_t size = mask_ + 1;
    if (at + kBeat > size) std::memcpy(&bytes_[0], &bytes_[size], at + kBeat - size);
    if (at < kBeat) std::memcpy(&bytes_[size + at], &bytes_[at], kBeat - at);
  }
  void read(std::int64_t position, BeatBytes& beat) const { std::memcpy(beat.data(), &bytes_[index(position)], kBeat); }

 private:
  static constexpr std::size_t kBeat = arch::AxiConfig::kMaxBeatBytes;
  std::size_t index(std::int64_t position) const { return static_cast<std::size_t>(position) & mask_; }

  std::vector<std::uint8_t> bytes_;  // the first beat is repeated behind the last
  std::size_t mask_ = 0;
};

}  // namespace fansim::axi

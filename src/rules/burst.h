// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "contract/axi.h"

namespace fansim::rules {

// A burst must not cross this boundary (AMBA AXI protocol specification, A3.4.1).
constexpr std::int64_t kBurstBoundary = 4096;

// Returns the place of an address in its beat.
inline int in_beat(std::uint64_t address, const contract::AxiConfig& config) {
  return static_cast<int>(address & (static_cast<std::uint64_t>(config.beat_bytes()) - 1));
}

// Returns the beats that hold so many bytes.
inline std::int64_t beats_of(std::int64_t bytes, const contract::AxiConfig& config) {
  return (bytes + config.beat_bytes() - 1) >> config.beat_shift();
}
// Returns the beats on the memory port that hold the bytes from `address` on.
inline std::int64_t beats_of(std::uint64_t address, std::int64_t bytes, const contract::AxiConfig& config) {
  return beats_of(in_beat(address, config) + bytes, config);
}

// Returns the beats from that of `address` to the next boundary.
inline std::int64_t beats_to_boundary(std::uint64_t address, const contract::AxiConfig& config) {
  return beats_of(kBurstBoundary - static_cast<std::int64_t>(address % kBurstBoundary), config);
}

// Returns the length of the burst that starts at the beat of `address` when `beats` are still to go.
inline int burst_beats(std::uint64_t address, std::int64_t beats, const contract::AxiConfig& config) {
  return static_cast<int>(std::min({beats, beats_to_boundary(address, config), std::int64_t{config.burst_beats}}));
}

// Finds where the bursts of a transfer begin, by the numbers of its beats. It serves transfers whose bursts fill the
// space between boundaries. Then all bursts have the same length, a power of two, except the one before the first
// boundary and the last one.
class BurstStarts {
 public:
  BurstStarts(std::uint64_t address, std::int64_t beats, const contract::AxiConfig& config)
      : beats_(beats),
        burst_(config.burst_beats),
        first_(std::min(
            beats, (kBurstBoundary - static_cast<std::int64_t>(address % kBurstBoundary)) >> config.beat_shift())) {}

  static bool fill(const contract::AxiConfig& config) {
    return kBurstBoundary % (config.burst_beats * config.beat_bytes()) == 0;
  }
  std::int64_t beats() const { return beats_; }
  std::int64_t bursts() const {
    return (up(first_) + up(beats_ - first_)) >> __builtin_ctzll(static_cast<std::uint64_t>(burst_));
  }
  // Returns the length of the shortest burst that others may follow.
  std::int64_t shortest() const {
    const std::int64_t rest = first_ - down(first_);
    return rest > 0 && first_ < beats_ ? rest : burst_;
  }
  std::int64_t burst() const { return burst_; }
  // All bursts that begin at or behind whole_from() have that length, except the last; so have all that end at or
  // before whole_until().
  std::int64_t whole_from() const { return first_ < beats_ && first_ != down(first_) ? first_ : 0; }
  std::int64_t whole_until() const { return down(first_); }
  // Returns the first begin of a burst at or behind a beat. Behind the last burst, it returns no less than all beats.
  std::int64_t from(std::int64_t beat) const {
    return beat <= first_ ? std::min(up(beat), first_) : first_ + up(beat - first_);
  }
  // end() returns the beat behind the burst that begins with a beat; begin() returns the first beat of the burst that
  // ends before a beat.
  std::int64_t end(std::int64_t begin) const { return std::min(from(begin + 1), beats_); }
  std::int64_t begin(std::int64_t end) const { return end > first_ ? first_ + down(end - first_ - 1) : down(end - 1); }

 private:
  std::int64_t down(std::int64_t beat) const { return beat & -burst_; }
  std::int64_t up(std::int64_t beat) const { return down(beat + burst_ - 1); }

  std::int64_t beats_, burst_;
  std::int64_t first_;  // beats up to the first boundary
};

}  // namespace fansim::rules

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

#include "base/random.h"
#include "contract/faults.h"

// These functions draw what a fault leaves open. Every engine draws alike.
namespace fansim::rules {

struct HitBit {
  std::uint64_t word = 0;
  int bit = 0;
};

// Returns the random numbers of a run's n-th fault.
inline base::Random draws_of(std::uint64_t seed, int number) {
  return base::Random(seed, fmt::format("fault {}", number));
}

// Draws a number below `end`. Its distribution is at most end * 2^-64 away from uniform.
inline std::uint64_t draw_below(base::Random& random, std::uint64_t end) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>(Wide{random.next()} * end >> 64);
}

// Draws a word of `words` and a bit of `bits`, unless the fault names them.
inline HitBit hit_bit(const contract::Fault& fault, base::Random& random, std::uint64_t words, int bits) {
  HitBit hit{draw_below(random, words), static_cast<int>(draw_below(random, static_cast<std::uint64_t>(bits)))};
  if (fault.word != contract::Fault::kDrawn) hit.word = static_cast<std::uint64_t>(fault.word);
  if (fault.bit != contract::Fault::kDrawn) hit.bit = fault.bit;
  return hit;
}

// Says what of the fault does not fit a place of `words` words of `bits` bits; empty: it fits.
inline std::string misfit(const contract::Fault& fault, std::uint64_t words, int bits) {
  if (words == 0) return fmt::format("{} has no bits on this machine", fault.at);
  if (fault.word != contract::Fault::kDrawn && static_cast<std::uint64_t>(fault.word) >= words)
    return fmt::format("word {} of {}: allowed: 0..{}", fault.word, fault.at, words - 1);
  if (fault.bit >= bits) return fmt::format("bit {} of {}: allowed: 0..{}", fault.bit, fault.at, bits - 1);
  return {};
}

// Says in words what happened.
inline std::string happened(const contract::Fault& fault, const HitBit& hit) {
  const bool flips = fault.kind == contract::Fault::Kind::flip;
  return fmt::format("{}: bit {} of word {} {}", fault.at, hit.bit, hit.word,
                     flips ? "flips" : fmt::format("sticks at {}", fault.value));
}

// Draws the cycles, at least one, to the next event, where `rate` events happen in a million cycles.
inline std::int64_t cycles_to_next(base::Random& random, double rate) {
  const double u = (static_cast<double>(random.next() >> 11) + 1) * 0x1p-53;
  return 1 + static_cast<std::int64_t>(-std::log(u) * 1e6 / rate);
}

}  // namespace fansim::rules

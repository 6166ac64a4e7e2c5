// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/hash.h"

namespace fansim::base {

// Draws random numbers with xoshiro256**, seeded by splitmix64 (Blackman and Vigna, 2018): the same numbers on every
// machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) {
    for (std::uint64_t& word : state_) word = splitmix64(seed);
  }

  // Gives each name a stream of its own under one seed.
  Random(std::uint64_t seed, std::string_view stream) : Random(splitmix64(seed) ^ Fnv1a().add(stream).value()) {}

  std::uint64_t next() {
    const std::uint64_t result = rotate(state_[1] * 5, 7) * 9;
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

  // Draws a uniform value of [lo, hi]; its probabilities are at most 2^-32 away from exactly even.
  int uniform(int lo, int hi) {
    const std::uint64_t range = static_cast<std::uint64_t>(std::int64_t{hi} - lo) + 1;
    return static_cast<int>(lo + static_cast<std::int64_t>(((next() >> 32) * range) >> 32));
  }

  // Returns true in `percent` of 100 draws.
  bool chance(int percent) { return uniform(0, 99) < percent; }

  // Fills with uniform values of [lo, hi], four per draw (2^-16 away from exactly even).
  void fill(std::int8_t* values, std::size_t count, int lo, int hi);

  // Leaves the generator as so many draws would.
  void skip(std::uint64_t draws);

 private:
  static std::uint64_t splitmix64(std::uint64_t& state) {
    std::uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  static std::uint64_t rotate(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

  using Words = std::array<std::uint64_t, 4>;
  static const Words& power_of_two(unsigned bit);  // stands for 2^bit steps, in the form that apply() takes
  void apply(const Words& polynomial);
  void fill_side_by_side(std::int8_t* values, unsigned bits, int lo, int hi);

  Words state_{};
};

}  // namespace fansim::base

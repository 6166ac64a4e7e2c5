// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "primitives/attribute.h"
#include "primitives/port.h"

namespace fansim::primitives {

// The planes of a word. A port of width 1, 2 or 4 has data bits only; a port of width 9 x 2^n has a parity bit per
// byte.
enum RamPlane : std::size_t { kData, kParity };
constexpr std::array<RamPlane, 2> kRamPlanes{kData, kParity};
using RamWord = std::array<Bits, 2>;  // data, parity
using RamMask = std::array<std::uint64_t, 2>;

constexpr int plane_bits(int width, RamPlane plane) {
  if (width < 9) return plane == kData ? width : 0;
  return plane == kData ? width / 9 * 8 : width / 9;
}

// The memory cells. An address counts data bits. A port ignores the lowest bits of its address, which lie within its
// word (UG573, Address Bus). Every byte has a parity bit.
class RamCells {
 public:
  RamCells(const std::vector<Word256>& init, const std::vector<Word256>& init_parity);
  RamWord read(std::uint64_t address, int width) const;
  std::uint64_t data_bits() const { return planes_[kData].value.size() * 64; }
  // Makes all cells unknown.
  void forget();
  // Sets the bits of `mask` to those of `word`.
  void write(std::uint64_t address, int width, const RamWord& word, const RamMask& mask);

  // Translates a mask over the word of `width` at `address` into the bits of the word of `seen_width` at `seen_address`
  // that lie in the same cells.
  static RamMask seen(const RamMask& mask, std::uint64_t address, int width, std::uint64_t seen_address,
                      int seen_width);

 private:
  struct Plane {
    std::vector<std::uint64_t> value, unknown;
  };
  // Words are aligned to their own size, so none crosses a boundary of 64 bits.
  static std::uint64_t first_bit(std::uint64_t address, int width, RamPlane plane);
  std::array<Plane, 2> planes_;
};

}  // namespace fansim::primitives

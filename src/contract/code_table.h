// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace fansim::contract {

// Maps each of the 256 codes to another one; both are unsigned bytes.
using CodeTable = std::array<std::uint8_t, 256>;

// Two entries of a hardware table, those of codes 2 pair and 2 pair + 1, as a register takes them: the entries in bits
// 0 to 7 and 8 to 15, the pair's number in bits 16 to 22.
struct TableWrite {
  static constexpr int kPairs = 128;
  int pair = 0;
  std::uint8_t even = 0, odd = 0;

  std::uint32_t value() const {
    return static_cast<std::uint32_t>(pair) << 16 | static_cast<std::uint32_t>(odd) << 8 | even;
  }
  static TableWrite of(std::uint32_t value) {
    return {static_cast<int>(value >> 16 & 127), static_cast<std::uint8_t>(value),
            static_cast<std::uint8_t>(value >> 8)};
  }
  static TableWrite at(const CodeTable& table, int pair) {
    const auto even = static_cast<std::size_t>(2 * pair);
    return {pair, table[even], table[even + 1]};
  }
  void apply(CodeTable& table) const {
    table[static_cast<std::size_t>(2 * pair)] = even;
    table[static_cast<std::size_t>(2 * pair + 1)] = odd;
  }
  template <class F>
  void wires(F&& f) const {
    f("pair", static_cast<std::uint64_t>(pair), 7);
    f("even", even, 8);
    f("odd", odd, 8);
  }
};

}  // namespace fansim::contract

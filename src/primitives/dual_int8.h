// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "arith/fixed.h"

namespace fansim::primitives {

// Two INT8 products that share a factor, in one DSP48E2 (WP490; WP486). The 27-bit pre-adder packs (a << 18) + b, the
// 27 x 18 multiplier forms its product with c in 48 bits, and the two products overlap by one borrow:
//   low  = P[17:0] read as two's complement       = b * c
//   high = P[47:18] + P[17]                       = a * c
// a, b: int8. c: int8 or uint8.
struct Int8Products {
  int high = 0;
  int low = 0;
};

// With a shift of 19 the pre-adder would overflow at a = b = -128.
constexpr int kInt8Shift = 18;
constexpr int kPreAdderBits = 27;
constexpr int kProductBits = 48;

// Returns the pre-adder's output, wrapped as the slice wraps it.
constexpr std::int64_t pack_int8(int a, int b, int shift = kInt8Shift) {
  return arith::wrap(std::int64_t{a} * (std::int64_t{1} << shift) + b, kPreAdderBits);
}

constexpr Int8Products unpack_int8(std::int64_t p, int shift = kInt8Shift) {
  const std::int64_t borrow = p >> (shift - 1) & 1;
  return {static_cast<int>((p >> shift) + borrow), static_cast<int>(arith::wrap(p, shift))};
}

constexpr Int8Products dual_int8(int a, int b, int c) {
  return unpack_int8(arith::wrap(pack_int8(a, b) * c, kProductBits));
}

}  // namespace fansim::primitives

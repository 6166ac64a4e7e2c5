// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

// LUT6s of the parts a multiply-accumulate is built from (docs/quantisation.md, "LUTs per MAC").
namespace fansim::arith {

// One per bit of the 32-bit accumulator's adder; a bit's LUT has five inputs left beside the sum's, the carry serves a
// negation.
constexpr int kAccumulateLuts = 32;

// Rows of one factor's bits added one after the other: a LUT6 makes two ANDs and adds them, and the last bit of the
// first row is an AND alone. A factor of one bit is an AND inside the accumulator's LUTs.
constexpr int multiplier_luts(int a_bits, int b_bits) {
  const int rows = std::min(a_bits, b_bits);
  return rows == 1 ? 0 : (rows - 1) * std::max(a_bits, b_bits) + 1;
}

// Two functions of the same five inputs share a LUT6_2.
constexpr int paired_luts(int functions) { return (functions + 1) / 2; }

}  // namespace fansim::arith

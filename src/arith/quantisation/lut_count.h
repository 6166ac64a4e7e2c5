// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

// Counts the LUT6s of the parts of a multiply-accumulate (docs/quantisation.md, "LUTs per MAC").
namespace fansim::arith {

// The adder of the 32-bit accumulator takes one LUT per bit. A LUT has five inputs left beside the sum's, and the carry
// serves a negation.
constexpr int kAccumulateLuts = 32;

// Returns the LUTs of a multiplier that adds rows of one factor's bits one after the other. A LUT6 makes two ANDs and
// adds them; the last bit of the first row is an AND alone. A factor of one bit is an AND inside the accumulator's
// LUTs.
constexpr int multiplier_luts(int a_bits, int b_bits) {
  const int rows = std::min(a_bits, b_bits);
  return rows == 1 ? 0 : (rows - 1) * std::max(a_bits, b_bits) + 1;
}

// Returns the LUTs of functions that share the same five inputs: a LUT6_2 holds two of them.
constexpr int paired_luts(int functions) { return (functions + 1) / 2; }

}  // namespace fansim::arith

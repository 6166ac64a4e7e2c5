// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fansim::estimate {

// Counts the registers of a pairwise sum of `terms` terms. A value that only waits through three or more registers
// waits in a shift register. If a term may be gated to zero, the first of its registers has a reset and cannot be part
// of the shift register.
class PairwiseSum {
 public:
  PairwiseSum(int terms, int width, int levels, int most_bits, bool gated);

  int adder_bits = 0, ff = 0, srl = 0;
  int bits = 0;  // width of the sum

 private:
  struct Value {
    int bits, waiting;
  };

  Value added(const Value& a, const Value& b, int most_bits);
  void leave(const Value& value);
};

}  // namespace fansim::estimate

// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fansim::estimate {

// The registers of a pairwise sum of `terms` terms. A value that only waits for three or more of them waits in a shift
// register, where the first of them is no gate: a term that may be gated to zero enters a register with a reset.
class PairwiseSum {
 public:
  PairwiseSum(int terms, int width, int levels, int most_bits, bool gated);

  int adder_bits = 0, ff = 0, srl = 0;
  int bits = 0;  // of the sum

 private:
  struct Value {
    int bits, waiting;
  };

  Value added(const Value& a, const Value& b, int most_bits);
  void leave(const Value& value);
};

}  // namespace fansim::estimate

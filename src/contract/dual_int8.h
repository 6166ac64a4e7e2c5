// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

namespace fansim::contract {

// Which operand of a packed pair is shared (WP490, "input sharing" and "weight sharing"): two weights share one
// activation, or two activations share one weight.
enum class Shared { activation, weight };

// A chain of DSP48E2 slices. Each slice adds (high << shift) + low times a shared factor. One more slice re-bases the
// two sums before they can run into each other (WP490).
struct DualInt8Config {
  int terms = 7;
  Shared shared = Shared::activation;
  bool unsigned_activations = false;
  int lowest_weight = -128;  // -127 for symmetric weights
  int shift = 18;            // bits of the low sum in the chain

  static constexpr int kMaxTerms = 9;
  static constexpr int kPreAdderBits = 27;  // UG579
  static constexpr int kSumBits = 24;       // width of each re-based sum, in two's complement

  struct Range {
    int lo, hi;
  };
  Range weights() const { return {lowest_weight, 127}; }
  Range activations() const { return unsigned_activations ? Range{0, 255} : Range{-128, 127}; }
  Range pair() const { return shared == Shared::activation ? weights() : activations(); }
  Range factor() const { return shared == Shared::activation ? activations() : weights(); }

  // Returns whether the pre-adder holds every pair.
  bool packs() const {
    const int limit = 1 << (kPreAdderBits - 1);
    return pair().lo * (1 << shift) + pair().lo >= -limit && pair().hi * (1 << shift) + pair().hi < limit;
  }
  // Returns whether the chain also keeps every low sum apart from the high one.
  bool exact() const {
    const Range a = weights(), x = activations();
    const int lowest = std::min(a.lo * x.hi, a.hi * x.lo), highest = std::max(a.lo * x.lo, a.hi * x.hi);
    const int limit = 1 << (shift - 1);
    return packs() && terms * lowest >= -limit && terms * highest < limit;
  }

  // Returns the longest chain that is exact for these operands.
  int most_terms() const {
    DualInt8Config longest = *this;
    for (longest.terms = kMaxTerms; longest.terms > 0 && !longest.exact();) --longest.terms;
    return longest.terms;
  }

  // Counts the registers A/B/D, AD, M and P of the first slice, P of every further one, A:B and P of the re-basing one.
  // The push takes one more edge.
  int latency() const { return 4 + (terms - 1) + 2; }
};

}  // namespace fansim::contract

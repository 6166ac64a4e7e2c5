// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "arith/float/format.h"

namespace fansim::kernels {

// Multiply-accumulate in the formats of docs/float.md: the same numbers and events as arith::FloatArithmetic, eight at
// a time. Numbers are doubles that their format has: a double holds every product and every aligned sum exactly, so
// that what is left is to cut its bits.
class FloatMac {
 public:
  // Products of `operand`, each added in `sum`, which has every number of `operand`; takes() both.
  FloatMac(const arith::FloatFormat& operand, const arith::FloatFormat& sum,
           arith::FloatRounding rounding = arith::FloatRounding::truncate);
  // With one of variants(), of which the first is the best.
  FloatMac(const arith::FloatFormat& operand, const arith::FloatFormat& sum, arith::FloatRounding rounding,
           const std::string& variant);

  // What this processor can run.
  static std::vector<std::string> variants();
  static bool takes(const arith::FloatFormat& format) {
    return format.exponent_bits <= 10 && format.mantissa_bits <= 23;
  }

  // sums[i] = sums[i] + a[i] * b
  void accumulate(double* sums, const double* a, double b, std::size_t count, arith::FloatEvents& events) const;

  // `outputs` dot products in the order of the terms: for each term t, sums[o] = sums[o] + x[t] * weights[t][o].
  void dot_products(double* sums, std::size_t outputs, const double* x, const double* weights, std::size_t terms,
                    arith::FloatEvents& events) const;

  // Of a rounding: what it adds below the last place, which bits it keeps, and the ends. A double's bits.
  struct Cut {
    std::int64_t last = 0;       // the lowest bit kept, where it breaks ties
    std::int64_t last_mask = 0;  // 1 if it does
    std::int64_t add = 0;
    std::int64_t keep = 0;
    std::int64_t least = 0, most = 0;
    std::int64_t align = 0;  // added to the distance of exponents: how many low bits of the smaller one are lost
  };

  using Accumulate = void (*)(double*, const double*, double, std::size_t, const Cut& operand, const Cut& sum,
                              arith::FloatEvents&);

 private:
  const Cut operand_, sum_;
  const Accumulate accumulate_;
};

}  // namespace fansim::kernels

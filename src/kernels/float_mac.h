// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "arith/float/format.h"

namespace fansim::kernels {

// Multiplies and accumulates in the formats of docs/float.md, with the same numbers and events as
// arith::FloatArithmetic. It handles eight numbers at a time. Numbers are kept as doubles: a double holds every product
// and every aligned sum exactly, so rounding only has to cut its bits.
class FloatMac {
 public:
  // Products have the format `operand` and are added in `sum`, which must hold every number of `operand`. takes() must
  // be true for both.
  FloatMac(const arith::FloatFormat& operand, const arith::FloatFormat& sum,
           arith::FloatRounding rounding = arith::FloatRounding::truncate);
  // Uses one of variants(), of which the first is the best.
  FloatMac(const arith::FloatFormat& operand, const arith::FloatFormat& sum, arith::FloatRounding rounding,
           const std::string& variant);

  // Returns the variants that this processor can run.
  static std::vector<std::string> variants();
  static bool takes(const arith::FloatFormat& format) {
    return format.exponent_bits <= 10 && format.mantissa_bits <= 23;
  }

  // sums[i] = sums[i] + a[i] * b
  void accumulate(double* sums, const double* a, double b, std::size_t count, arith::FloatEvents& events) const;

  // Computes `outputs` dot products in the order of the terms: for each term t, sums[o] = sums[o] + x[t] *
  // weights[t][o].
  void dot_products(double* sums, std::size_t outputs, const double* x, const double* weights, std::size_t terms,
                    arith::FloatEvents& events) const;

  // How a double's bits are rounded: what is added below the last place, which bits are kept, and the smallest and
  // largest magnitude.
  struct Cut {
    std::int64_t last = 0;       // the lowest bit that is kept, if it breaks ties
    std::int64_t last_mask = 0;  // 1 if that bit breaks ties
    std::int64_t add = 0;
    std::int64_t keep = 0;
    std::int64_t least = 0, most = 0;
    std::int64_t align = 0;  // plus the distance of the exponents: how many low bits of the smaller operand are lost
  };

  using Accumulate = void (*)(double*, const double*, double, std::size_t, const Cut& operand, const Cut& sum,
                              arith::FloatEvents&);

 private:
  const Cut operand_, sum_;
  const Accumulate accumulate_;
};

}  // namespace fansim::kernels

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "arith/float/format.h"

namespace fansim::arith {

// Computes e^x with a table of 2^f and linear interpolation between its entries (docs/float.md).
class FloatExponential {
 public:
  // Requires 1 <= table_bits <= min(12, fraction_bits()).
  FloatExponential(const FloatFormat& format, int table_bits, FloatRounding rounding = FloatRounding::truncate);

  // Returns how many table bits suffice for an interpolation error of about a quarter of a unit at most.
  static int enough_table_bits(const FloatFormat& format) { return std::max(1, (kept_mantissa(format)) / 2); }

  // Cycles of the block: to fixed point, times log2 e, table, interpolation, rounding.
  static constexpr int kLatency = 5;

  int fraction_bits() const { return kept_mantissa(format_) + 4; }
  int table_bits() const { return table_bits_; }
  // Returns 2^(i / 2^table_bits) with fraction_bits() bits of fraction. The last entry is 2.
  const std::vector<std::uint64_t>& table() const { return table_; }
  int scale_bits() const { return fraction_bits() + format_.exponent_bits; }
  std::uint64_t scale() const { return kLog2E >> (63 - scale_bits()); }  // log2 e with scale_bits() bits of fraction
  // Returns how many units of its last place a result may be off, unless it saturates or underflows.
  double error_units() const;

  std::uint64_t exponential(std::uint64_t x, FloatEvents& events) const;

 private:
  static constexpr std::uint64_t kLog2E = 0xb8aa3b295c17f0bb;  // log2 e with 63 bits of fraction, truncated
  static int kept_mantissa(const FloatFormat& format) { return std::min(format.mantissa_bits, 24); }

  FloatFormat format_;
  int table_bits_;
  FloatRounding rounding_;
  std::vector<std::uint64_t> table_;
};

}  // namespace fansim::arith

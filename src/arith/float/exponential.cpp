// SPDX-License-Identifier: Apache-2.0
#include "arith/float/exponential.h"

#include <cmath>

#include "arith/float/core.h"

namespace fansim::arith {
namespace {

using float_core::Wide;

constexpr int kRootBits = 62;  // bits of fraction

std::uint64_t square_root(Wide v) {
  std::uint64_t root = 0;
  for (int bit = 63; bit >= 0; --bit) {
    const std::uint64_t next = root | std::uint64_t{1} << bit;
    if (static_cast<Wide>(next) * next <= v) root = next;
  }
  return root;
}

// Returns the table of powers. It is computed in integers, so that it is the same on every machine: 2^(1/2), 2^(1/4),
// ... come from square roots, the other entries are products of these.
std::vector<std::uint64_t> powers(int table_bits, int fraction_bits) {
  std::vector<std::uint64_t> roots{std::uint64_t{2} << kRootBits};
  for (int i = 0; i < table_bits; ++i) roots.push_back(square_root(static_cast<Wide>(roots.back()) << kRootBits));
  std::vector<std::uint64_t> result;
  for (int i = 0; i < 1 << table_bits; ++i) {
    std::uint64_t power = std::uint64_t{1} << kRootBits;
    for (int bit = 0; bit < table_bits; ++bit)
      if ((i >> bit & 1) != 0)
        power = static_cast<std::uint64_t>(
            static_cast<Wide>(power) * roots[static_cast<std::size_t>(table_bits - bit)] >> kRootBits);
    const int dropped = kRootBits - fraction_bits;
    result.push_back((power + (std::uint64_t{1} << (dropped - 1))) >> dropped);
  }
  result.push_back(std::uint64_t{2} << fraction_bits);
  return result;
}

}  // namespace

FloatExponential::FloatExponential(const FloatFormat& format, int table_bits, FloatRounding rounding)
    : format_(format),
      table_bits_(table_bits),
      rounding_(rounding),
      table_(powers(table_bits, kept_mantissa(format) + 4)) {}

double FloatExponential::error_units() const {
  const double step = std::ldexp(1, -table_bits_);
  const double error = 0.0601 * step * step * std::exp2(step) + std::ldexp(4, -fraction_bits());
  const double rounded = rounding_ == FloatRounding::nearest_even ? 0.5 : 1;
  return rounded + std::ldexp(error / (1 - error), format_.significand_bits());
}

std::uint64_t FloatExponential::exponential(std::uint64_t x, FloatEvents& events) const {
  const int fraction = fraction_bits();
  // |x| in fixed point. If x is too large for any exponent, the smallest such value stands for it.
  const int exponent = float_core::exponent(x, format_) - format_.bias();
  const int shift = exponent - format_.mantissa_bits + fraction;
  const Wide significand = float_core::is_zero(x, format_) ? 0 : float_core::significand(x, format_);
  Wide fixed = Wide{1} << (format_.exponent_bits + fraction);
  if (exponent < format_.exponent_bits)
    fixed = shift >= 0 ? significand << shift : significand >> std::min(-shift, 127);
  const auto magnitude = static_cast<std::int64_t>(fixed * scale() >> scale_bits());
  const std::int64_t power = (x & format_.sign_mask()) != 0 ? -magnitude : magnitude;
  const auto below_one = static_cast<std::uint64_t>(power) & ((std::uint64_t{1} << fraction) - 1);
  const int line_bits = fraction - table_bits_;
  const std::uint64_t index = below_one >> line_bits, along = below_one & ((std::uint64_t{1} << line_bits) - 1);
  const std::uint64_t value = table_[index] + ((table_[index + 1] - table_[index]) * along >> line_bits);
  return float_core::finish<std::uint64_t>(0, static_cast<int>(power >> fraction) + format_.bias(),
                                           value << (63 - fraction), format_, rounding_, events);
}

}  // namespace fansim::arith

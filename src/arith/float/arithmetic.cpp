// SPDX-License-Identifier: Apache-2.0
#include "arith/float/arithmetic.h"

#include <cmath>
#include <cstring>

#include "arith/float/core.h"

namespace fansim::arith {

using float_core::Wide;

std::uint64_t FloatArithmetic::add(std::uint64_t a, std::uint64_t b, FloatEvents& events) const {
  return float_core::fits_64(format_) ? float_core::add<std::uint64_t>(a, b, format_, rounding_, events)
                                      : float_core::add<Wide>(a, b, format_, rounding_, events);
}

std::uint64_t FloatArithmetic::subtract(std::uint64_t a, std::uint64_t b, FloatEvents& events) const {
  return add(a, b ^ format_.sign_mask(), events);
}

std::uint64_t FloatArithmetic::multiply(std::uint64_t a, std::uint64_t b, FloatEvents& events) const {
  return float_core::fits_64(format_) ? float_core::multiply<std::uint64_t>(a, b, format_, rounding_, events)
                                      : float_core::multiply<Wide>(a, b, format_, rounding_, events);
}

std::uint64_t FloatArithmetic::convert(std::uint64_t word, const FloatFormat& from, FloatEvents& events) const {
  return float_core::convert(word, from, format_, rounding_, events);
}

std::uint64_t FloatArithmetic::from_double(double value, FloatEvents& events) const {
  // frexp returns a fraction in [1/2, 1). Scaled by 2^64, its leading one is bit 63.
  int power = 0;
  const double fraction = std::frexp(std::fabs(value), &power);
  const std::uint64_t sign = std::signbit(value) ? format_.sign_mask() : 0;
  if (std::isinf(value)) {
    ++events.saturations;
    return sign | format_.max_magnitude();
  }
  const auto normal = static_cast<std::uint64_t>(std::ldexp(fraction, 64));
  return float_core::finish<std::uint64_t>(sign, power - 1 + format_.bias(), normal, format_, rounding_, events);
}

double FloatArithmetic::to_double(std::uint64_t word) const {
  if (float_core::is_zero(word, format_)) return 0;
  const double magnitude = std::ldexp(static_cast<double>(float_core::significand(word, format_)),
                                      float_core::exponent(word, format_) - format_.bias() - format_.mantissa_bits);
  return (word & format_.sign_mask()) != 0 ? -magnitude : magnitude;
}

}  // namespace fansim::arith

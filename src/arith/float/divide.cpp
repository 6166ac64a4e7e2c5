// SPDX-License-Identifier: Apache-2.0
#include "arith/float/divide.h"

#include <cmath>

#include "arith/float/core.h"

namespace fansim::arith {
namespace {

using float_core::kBits;
using float_core::Wide;

std::uint64_t sign_of(std::uint64_t a, std::uint64_t b, const FloatFormat& f) { return (a ^ b) & f.sign_mask(); }

// Handles operands that are zero, which no divider block gets.
std::uint64_t without_quotient(std::uint64_t a, std::uint64_t b, const FloatFormat& f, FloatEvents& events) {
  if (float_core::is_zero(a, f)) return 0;
  ++events.saturations;
  return sign_of(a, b, f) | f.max_magnitude();
}

bool has_quotient(std::uint64_t a, std::uint64_t b, const FloatFormat& f) {
  return !float_core::is_zero(a, f) && !float_core::is_zero(b, f);
}

template <class T>
std::uint64_t array_quotient(std::uint64_t a, std::uint64_t b, int rows, const FloatFormat& f, FloatRounding rounding,
                             FloatEvents& events) {
  const T dividend = static_cast<T>(float_core::significand(a, f)) << (rows - 1);
  const T divisor = float_core::significand(b, f);
  const T quotient = dividend / divisor;
  const bool one = (quotient >> (rows - 1) & 1) != 0;  // the quotient is not below 1
  // If there is a remainder, rounding sees it as a bit below the last row.
  const T normal = quotient << (kBits<T> - rows + !one) | static_cast<T>(dividend % divisor != 0);
  return float_core::finish<T>(sign_of(a, b, f),
                               float_core::exponent(a, f) - float_core::exponent(b, f) + f.bias() - !one, normal, f,
                               rounding, events);
}

}  // namespace

std::uint64_t ArrayDivider::divide(std::uint64_t a, std::uint64_t b, FloatEvents& events) const {
  if (!has_quotient(a, b, format_)) return without_quotient(a, b, format_, events);
  return float_core::fits_64(format_) ? array_quotient<std::uint64_t>(a, b, rows(), format_, rounding_, events)
                                      : array_quotient<Wide>(a, b, rows(), format_, rounding_, events);
}

ReciprocalDivider::ReciprocalDivider(const FloatFormat& format, const ReciprocalConfig& config, FloatRounding rounding)
    : format_(format),
      config_(config),
      rounding_(rounding),
      fraction_bits_(std::max(format.mantissa_bits + 4, config.seed_bits + 2)) {
  const std::uint64_t entries = std::uint64_t{1} << config.seed_bits;
  for (std::uint64_t i = 0; i < entries; ++i) {
    // The middle of the divisors that share this entry, in units of 1 / (2 entries).
    const std::uint64_t middle = 2 * entries + 2 * i + 1;
    seeds_.push_back((16 * entries * entries + middle) / (2 * middle));
  }
}

double ReciprocalDivider::error_units() const {
  double error = 0.75 * std::ldexp(1, -config_.seed_bits);
  for (int i = 0; i < config_.iterations; ++i) error = error * error + std::ldexp(1, 1 - fraction_bits_);
  const double rounded = rounding_ == FloatRounding::nearest_even ? 0.5 : 1;
  return rounded + std::ldexp(error / (1 - error), format_.significand_bits());
}

template <class T>
std::uint64_t ReciprocalDivider::quotient(std::uint64_t a, std::uint64_t b, FloatEvents& events) const {
  const int mantissa = format_.mantissa_bits, seed = config_.seed_bits;
  const std::uint64_t fraction = b & (format_.hidden_one() - 1);
  const std::uint64_t index = mantissa >= seed ? fraction >> (mantissa - seed) : fraction << (seed - mantissa);
  const T divisor = float_core::significand(b, format_), two = T{2} << fraction_bits_;
  T reciprocal = static_cast<T>(seeds_[index]) << (fraction_bits_ - seed - 2);
  for (int i = 0; i < config_.iterations; ++i)
    reciprocal = (reciprocal * (two - (divisor * reciprocal >> mantissa))) >> fraction_bits_;
  const T product = static_cast<T>(float_core::significand(a, format_)) * reciprocal;
  const int zeros = float_core::leading_zeros(product);
  const int scale = kBits<T> - 1 - zeros - mantissa - fraction_bits_;  // 2^scale <= quotient
  return float_core::finish<T>(
      sign_of(a, b, format_),
      float_core::exponent(a, format_) - float_core::exponent(b, format_) + format_.bias() + scale, product << zeros,
      format_, rounding_, events);
}

std::uint64_t ReciprocalDivider::divide(std::uint64_t a, std::uint64_t b, FloatEvents& events) const {
  if (!has_quotient(a, b, format_)) return without_quotient(a, b, format_, events);
  return 2 * (fraction_bits_ + 1) <= kBits<std::uint64_t> ? quotient<std::uint64_t>(a, b, events)
                                                          : quotient<Wide>(a, b, events);
}

}  // namespace fansim::arith

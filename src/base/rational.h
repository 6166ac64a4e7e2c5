// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fansim::base {

// An exact positive ratio in lowest terms. Clock frequencies are MHz in this form: 333.3... MHz is 1000/3.
struct Rational {
  std::int64_t numerator = 1;
  std::int64_t denominator = 1;

  double value() const { return static_cast<double>(numerator) / static_cast<double>(denominator); }
  std::string text() const;  // "250", "1000/3"
};

// "250", "333.25" (exact decimal) or "1000/3". Empty if it is no such number, not above zero, or a term exceeds 10^12.
std::optional<Rational> parse_rational(std::string_view text);

// Clocks have terms of at most so much: what is multiplied out of a few of them is exact in 64 bits.
constexpr std::int64_t kMostClockTerm = 10'000'000;

// The nearest ratio with no larger terms.
Rational nearest(const Rational& ratio, std::int64_t most_numerator, std::int64_t most_denominator);
// What is wrong with its terms, and a clock next to it of small ones; empty: nothing.
std::string too_fine(const Rational& clock);

bool operator==(const Rational& a, const Rational& b);
inline bool operator!=(const Rational& a, const Rational& b) { return !(a == b); }

}  // namespace fansim::base

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fansim::base {

// An exact positive ratio in lowest terms. Clock frequencies are such ratios in MHz: 333.3... MHz is 1000/3.
struct Rational {
  std::int64_t numerator = 1;
  std::int64_t denominator = 1;

  double value() const { return static_cast<double>(numerator) / static_cast<double>(denominator); }
  std::string text() const;  // returns "250" or "1000/3"
};

// Reads "250", "333.25" (exact decimal) or "1000/3". The result is empty if the text is no such number, is not above
// zero, or has a term beyond 10^12.
std::optional<Rational> parse_rational(std::string_view text);

// The largest term of a clock's frequency. Products of a few such terms are exact in 64 bits.
constexpr std::int64_t kMostClockTerm = 10'000'000;

// Returns the nearest ratio whose terms do not exceed the two limits.
Rational nearest(const Rational& ratio, std::int64_t most_numerator, std::int64_t most_denominator);
// Says that a clock's terms are too large and which clock with small terms is near; empty if they are not.
std::string too_fine(const Rational& clock);

bool operator==(const Rational& a, const Rational& b);
inline bool operator!=(const Rational& a, const Rational& b) { return !(a == b); }

}  // namespace fansim::base

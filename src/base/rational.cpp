// SPDX-License-Identifier: Apache-2.0
#include "base/rational.h"

#include <numeric>

namespace fansim::base {
namespace {

constexpr std::int64_t kLargest = 1'000'000'000'000;

Rational reduced(std::int64_t numerator, std::int64_t denominator) {
  const std::int64_t common = std::gcd(numerator, denominator);
  return {numerator / common, denominator / common};
}

// Appends decimal digits to `value`; false if one is no digit, there is none, or the value grows too large.
bool append_digits(std::string_view digits, std::int64_t& value) {
  if (digits.empty()) return false;
  for (const char c : digits) {
    if (c < '0' || c > '9') return false;
    value = value * 10 + (c - '0');
    if (value > kLargest) return false;
  }
  return true;
}

}  // namespace

std::string Rational::text() const {
  return denominator == 1 ? std::to_string(numerator) : std::to_string(numerator) + "/" + std::to_string(denominator);
}

std::optional<Rational> parse_rational(std::string_view text) {
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;
  const std::size_t mark = text.find_first_of("./");
  if (!append_digits(text.substr(0, mark), numerator)) return std::nullopt;
  if (mark != std::string_view::npos) {
    const std::string_view rest = text.substr(mark + 1);
    if (text[mark] == '/') {
      denominator = 0;
      if (!append_digits(rest, denominator) || denominator == 0) return std::nullopt;
    } else {
      if (rest.size() > 12 || !append_digits(rest, numerator)) return std::nullopt;
      for (std::size_t i = 0; i < rest.size(); ++i) denominator *= 10;
    }
  }
  if (numerator == 0) return std::nullopt;
  return reduced(numerator, denominator);
}

bool operator==(const Rational& a, const Rational& b) {
  return a.numerator == b.numerator && a.denominator == b.denominator;
}

}  // namespace fansim::base

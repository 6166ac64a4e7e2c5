// SPDX-License-Identifier: Apache-2.0
#include "base/rational.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace fansim::base {
namespace {

constexpr std::int64_t kLargest = 1'000'000'000'000;

Rational reduced(std::int64_t numerator, std::int64_t denominator) {
  const std::int64_t common = std::gcd(numerator, denominator);
  return {numerator / common, denominator / common};
}

// Appends decimal digits to `value`. Returns false if there are none, one is no digit, or the value grows too large.
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

// The best approximations of a ratio are the convergents of its continued fraction and the last mediants between two of
// them.
Rational nearest(const Rational& ratio, std::int64_t most_numerator, std::int64_t most_denominator) {
  __extension__ using Wide = __int128;
  const auto steps = [](std::int64_t most, std::int64_t from, std::int64_t by) {
    return by == 0 ? std::numeric_limits<std::int64_t>::max() : (most - from) / by;
  };
  Rational before{0, 1}, last{1, 0};
  for (std::int64_t n = ratio.numerator, d = ratio.denominator; d != 0;) {
    const std::int64_t most = std::min(steps(most_numerator, before.numerator, last.numerator),
                                       steps(most_denominator, before.denominator, last.denominator));
    const std::int64_t whole = std::min(n / d, most);
    const Rational next{before.numerator + whole * last.numerator, before.denominator + whole * last.denominator};
    const auto distance = [&](const Rational& from, const Rational& of) {
      const Wide apart =
          static_cast<Wide>(of.numerator) * ratio.denominator - static_cast<Wide>(ratio.numerator) * of.denominator;
      return (apart < 0 ? -apart : apart) * from.denominator;
    };
    if (whole < n / d) return last.denominator != 0 && distance(next, last) <= distance(last, next) ? last : next;
    before = last;
    last = next;
    n %= d;
    std::swap(n, d);
  }
  return last;
}

std::string too_fine(const Rational& clock) {
  constexpr std::int64_t kPlain = 1000;
  if (std::max(clock.numerator, clock.denominator) <= kMostClockTerm) return "";
  return fmt::format("{} has a term above {}; a clock next to it is {}", clock.text(), kMostClockTerm,
                     nearest(clock, kMostClockTerm, kPlain).text());
}

bool operator==(const Rational& a, const Rational& b) {
  return a.numerator == b.numerator && a.denominator == b.denominator;
}

}  // namespace fansim::base

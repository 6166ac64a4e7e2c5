// SPDX-License-Identifier: Apache-2.0
#include "primitives/attribute.h"

#include <fmt/format.h>

#include "base/error.h"

namespace fansim::primitives {
namespace {

std::string hex(const Word256& value, int width) {
  std::string digits;
  for (int nibble = (width + 3) / 4 - 1; nibble >= 0; --nibble)
    digits += fmt::format("{:x}", value[static_cast<std::size_t>(nibble / 16)] >> (nibble % 16 * 4) & 15);
  return fmt::format("{}'h{}", width, digits);
}

// Sets value to value * base + digit. Returns false if that needs more than 256 bits.
bool append(Word256& value, std::uint64_t base, std::uint64_t digit) {
  std::uint64_t carry = digit;
  for (std::uint64_t& word : value) {
    const std::uint64_t low = (word & 0xffffffff) * base + carry;
    const std::uint64_t high = (word >> 32) * base + (low >> 32);
    word = high << 32 | (low & 0xffffffff);
    carry = high >> 32;
  }
  return carry == 0;
}

int bits_used(const Word256& value) {
  for (int bit = 255; bit >= 0; --bit) {
    if (value[static_cast<std::size_t>(bit / 64)] >> (bit % 64) & 1) return bit + 1;
  }
  return 0;
}

struct Literal {
  unsigned base = 10;
  std::string digits;
  int width = 256;  // the width that a sized literal declares
};

// Returns the size that a Verilog literal gives before its apostrophe, or 0 if the text is no size.
int literal_width(const std::string& text) {
  if (text.empty()) return 256;
  if (text.size() > 3 || text.find_first_not_of("0123456789") != std::string::npos) return 0;
  return std::stoi(text);
}

// Splits a number into base and digits. The base is 0 if it is no number.
Literal split_literal(const std::string& text) {
  if (text.rfind("0x", 0) == 0 || text.rfind("0X", 0) == 0) return {16, text.substr(2), 256};
  const std::size_t tick = text.find('\'');
  if (tick == std::string::npos) return {10, text, 256};
  Literal literal{0, "", literal_width(text.substr(0, tick))};
  if (tick + 2 > text.size() || literal.width == 0) return literal;
  switch (text[tick + 1] | 0x20) {
    case 'h':
      literal.base = 16;
      break;
    case 'd':
      literal.base = 10;
      break;
    case 'o':
      literal.base = 8;
      break;
    case 'b':
      literal.base = 2;
      break;
    default:
      return literal;
  }
  literal.digits = text.substr(tick + 2);
  return literal;
}

std::string without_quotes(const std::string& text) {
  const bool quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
  return quoted ? text.substr(1, text.size() - 2) : text;
}

}  // namespace

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

Word256 parse_number(const std::string& text, int width, const base::Location& where) {
  const Literal literal = split_literal(text);
  const auto bad = [&] {
    return base::UserError(where, fmt::format("expected a number (12, 0xc or {}'hc), found '{}'", width, text));
  };
  if (literal.base == 0 || literal.digits.empty()) throw bad();
  Word256 value{};
  bool fits = true;
  for (const char c : literal.digits) {
    if (c == '_') continue;
    const int digit = hex_digit(c);
    if (digit >= static_cast<int>(literal.base)) throw bad();
    fits = append(value, literal.base, static_cast<std::uint64_t>(digit)) && fits;
  }
  if (!fits || bits_used(value) > std::min(width, literal.width))
    throw base::UserError(where, fmt::format("'{}' does not fit {} bits", text, std::min(width, literal.width)));
  return value;
}

void AttributeTable::integer(const std::string& name, const int& value, int lo, int hi) {
  rows_.push_back({name, fmt::format("{}..{}", lo, hi), std::to_string(value)});
}

void AttributeTable::bits(const std::string& name, const std::uint64_t& value, int width) {
  bits(name, Word256{value}, width);
}

void AttributeTable::bits(const std::string& name, const Word256& value, int width) {
  rows_.push_back({name, fmt::format("{} bit{}", width, width == 1 ? "" : "s"), hex(value, width)});
}

void AttributeTable::text(const std::string& name, const std::string& value, const std::string& legal) {
  rows_.push_back({name, legal, value});
}

AttributeSetter::AttributeSetter(const std::string& setting) : where_{"--set " + setting, 0, 0} {
  const std::size_t equals = setting.find('=');
  if (equals == std::string::npos || equals == 0) throw base::UserError(where_, "expected ATTRIBUTE=VALUE");
  name_ = setting.substr(0, equals);
  value_ = without_quotes(setting.substr(equals + 1));
}

bool AttributeSetter::is(const std::string& name) {
  found_ = found_ || name == name_;
  return name == name_;
}

Word256 AttributeSetter::number(int width) const { return parse_number(value_, width, where_); }

int AttributeSetter::index_of(const std::vector<std::string>& words) const {
  std::string legal;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == value_) return static_cast<int>(i);
    legal += (i == 0 ? "" : " | ") + words[i];
  }
  throw base::UserError(
      where_, fmt::format("{} '{}' unknown; legal: {}{}", name_, value_, legal, base::did_you_mean(value_, words)));
}

void AttributeSetter::integer(const std::string& name, int& value, int lo, int hi) {
  if (!is(name)) return;
  const std::uint64_t given = number(31)[0];
  if (given < static_cast<std::uint64_t>(lo) || given > static_cast<std::uint64_t>(hi))
    throw base::UserError(where_, fmt::format("{} {} out of range; legal: {}..{}", name, given, lo, hi));
  value = static_cast<int>(given);
}

void AttributeSetter::bits(const std::string& name, std::uint64_t& value, int width) {
  if (is(name)) value = number(width)[0];
}

void AttributeSetter::bits(const std::string& name, Word256& value, int width) {
  if (is(name)) value = number(width);
}

void AttributeSetter::text(const std::string& name, std::string& value, const std::string&) {
  if (is(name)) value = value_;
}

}  // namespace fansim::primitives

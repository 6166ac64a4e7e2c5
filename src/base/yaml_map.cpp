// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>

#include "base/text.h"
#include "base/yaml.h"

namespace fansim::base {
namespace {

// Reads a plain (unquoted) decimal or 0x hexadecimal integer. A value out of range becomes the nearest long long.
bool parse_integer(const YamlNode& node, long long& value) {
  if (node.kind != YamlNode::Kind::scalar || node.quoted || node.scalar.empty()) return false;
  const std::string& s = node.scalar;
  const std::size_t sign = s[0] == '-' || s[0] == '+' ? 1 : 0;
  const bool hexadecimal = s.compare(sign, 2, "0x") == 0;
  if (sign == s.size() || std::isspace(static_cast<unsigned char>(s[sign]))) return false;
  char* end = nullptr;
  value = std::strtoll(s.c_str(), &end, hexadecimal ? 16 : 10);
  return *end == '\0';
}

bool parse_number(const YamlNode& node, double& value) {
  if (node.kind != YamlNode::Kind::scalar || node.quoted || node.scalar.empty()) return false;
  if (std::isspace(static_cast<unsigned char>(node.scalar[0]))) return false;
  char* end = nullptr;
  value = std::strtod(node.scalar.c_str(), &end);
  return *end == '\0' && std::isfinite(value);
}

std::string range_text(int lo, int hi) {
  if (lo == INT_MIN && hi == INT_MAX) return "";
  if (hi == INT_MAX) return fmt::format(" of at least {}", lo);
  return fmt::format(" {}..{}", lo, hi);
}

}  // namespace

YamlMap::YamlMap(YamlNode node, std::string label) : node_(std::move(node)), label_(std::move(label)) {
  if (node_.kind != YamlNode::Kind::map) fail(node_.where, "expected a map, found " + node_.found());
}

const YamlNode* YamlMap::find(const std::string& key) {
  if (std::find(asked_.begin(), asked_.end(), key) == asked_.end()) asked_.push_back(key);
  return node_.find(key);
}

std::vector<std::string> YamlMap::keys() const {
  std::vector<std::string> keys;
  for (const YamlEntry& entry : node_.entries) keys.push_back(entry.key);
  return keys;
}

bool YamlMap::has(const std::string& key) { return find(key) != nullptr; }

const YamlNode& YamlMap::at(const std::string& key) {
  const YamlNode* node = find(key);
  if (node == nullptr) fail(node_.where, fmt::format("key '{}' is missing", key));
  return *node;
}

YamlMap YamlMap::child(const std::string& key) { return YamlMap(inlined(at(key), node_.where.file), key); }

int YamlMap::integer_of(const YamlNode& node, const std::string& name, int lo, int hi) const {
  long long value = 0;
  if (!parse_integer(node, value)) {
    fail(node.where, fmt::format("{}: expected an integer{}, found {}", name, range_text(lo, hi), node.found()));
  }
  if (value < lo || value > hi) {
    fail(node.where,
         fmt::format("{} {} is out of range; allowed: an integer{}", name, node.scalar, range_text(lo, hi)));
  }
  return static_cast<int>(value);
}

int YamlMap::integer(const std::string& key, int lo, int hi) { return integer_of(at(key), key, lo, hi); }

double YamlMap::number_of(const YamlNode& node, const std::string& name, double lo, double hi) const {
  double value = 0;
  if (!parse_number(node, value)) {
    fail(node.where, fmt::format("{}: expected a number {}..{}, found {}", name, lo, hi, node.found()));
  }
  if (value < lo || value > hi) {
    fail(node.where, fmt::format("{} {} is out of range; allowed: a number {}..{}", name, node.scalar, lo, hi));
  }
  return value;
}

double YamlMap::number(const std::string& key, double lo, double hi) { return number_of(at(key), key, lo, hi); }

std::vector<double> YamlMap::numbers(const std::string& key, double lo, double hi) {
  const YamlNode& node = at(key);
  if (node.kind != YamlNode::Kind::list) return {number_of(node, key, lo, hi)};
  if (node.items.empty()) fail(node.where, fmt::format("{}: expected numbers, found an empty list", key));
  std::vector<double> values;
  for (const YamlNode& item : node.items) values.push_back(number_of(item, key, lo, hi));
  return values;
}

bool YamlMap::boolean(const std::string& key) {
  const YamlNode& node = at(key);
  const bool plain = node.kind == YamlNode::Kind::scalar && !node.quoted;
  if (plain && node.scalar == "true") return true;
  if (plain && node.scalar == "false") return false;
  fail(node.where, fmt::format("{}: expected true or false, found {}", key, node.found()));
}

std::string YamlMap::text(const std::string& key) {
  const YamlNode& node = at(key);
  if (node.kind != YamlNode::Kind::scalar || node.scalar.empty()) {
    fail(node.where, fmt::format("{}: expected text, found {}", key, node.found()));
  }
  return node.scalar;
}

Rational YamlMap::rational(const std::string& key) {
  const YamlNode& node = at(key);
  const auto value = node.kind == YamlNode::Kind::scalar ? parse_rational(node.scalar) : std::nullopt;
  if (!value) {
    fail(node.where, fmt::format("{}: expected a number above 0 or a ratio like 1000/3, found {}", key, node.found()));
  }
  const std::string wrong = too_fine(*value);
  if (!wrong.empty()) fail(node.where, key + ": " + wrong);
  return *value;
}

std::vector<int> YamlMap::integers(const std::string& key, int lo, int hi) {
  const YamlNode& node = at(key);
  if (node.kind != YamlNode::Kind::list) {
    fail(node.where, fmt::format("{}: expected a list of integers, found {}", key, node.found()));
  }
  std::vector<int> values;
  for (const YamlNode& item : node.items) values.push_back(integer_of(item, key, lo, hi));
  return values;
}

std::size_t YamlMap::choice(const std::string& key, const std::vector<std::string>& words) {
  const YamlNode& node = at(key);
  if (node.kind != YamlNode::Kind::scalar) {
    fail(node.where, fmt::format("{}: expected one of {}, found {}", key, joined(words), node.found()));
  }
  const auto word = std::find(words.begin(), words.end(), node.scalar);
  if (word == words.end()) {
    const std::string hint = did_you_mean(node.scalar, words);
    fail(node.where, fmt::format("{} '{}' unknown{}", key, node.scalar,
                                 hint.empty() ? fmt::format("; one of {}", joined(words)) : hint));
  }
  return static_cast<std::size_t>(word - words.begin());
}

void YamlMap::fail(const std::string& key, std::string_view text) const {
  const YamlNode* node = node_.find(key);
  fail(node == nullptr ? node_.where : node->where, text);
}

void YamlMap::fail(const Location& where, std::string_view text) const {
  throw UserError(where, label_.empty() ? std::string(text) : fmt::format("{}: {}", label_, text));
}

void YamlMap::finish() const {
  for (const YamlEntry& entry : node_.entries) {
    if (std::find(asked_.begin(), asked_.end(), entry.key) != asked_.end()) continue;
    fail(entry.where, fmt::format("key '{}' unknown{}", entry.key, did_you_mean(entry.key, asked_)));
  }
}

}  // namespace fansim::base

// SPDX-License-Identifier: Apache-2.0
#include "base/fields.h"

#include <fmt/format.h>

namespace fansim::base {
namespace {

// A number without a unit is an integer, with an integer's messages.
bool is_plain(const YamlNode& node) {
  const std::string& text = node.scalar;
  const std::size_t sign = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  const bool hexadecimal = text.compare(sign, 2, "0x") == 0;
  return node.kind != YamlNode::Kind::scalar ||
         text.find_first_not_of(hexadecimal ? "0123456789xabcdefABCDEF" : "0123456789", sign) == std::string::npos;
}

}  // namespace

Cost read_cost(YamlMap& map, const std::string& key, int lo, int hi) {
  if (is_plain(map.at(key))) return map.integer(key, lo, hi);
  const std::string text = map.text(key);
  Cost cost;
  const std::string wrong = read_cost(text, cost);
  if (!wrong.empty()) map.fail(key, fmt::format("{} '{}': {}", key, text, wrong));
  if (!cost.may_be_in(lo, hi))
    map.fail(key, fmt::format("{} {} is out of range; allowed: {}..{} cycles", key, text, lo, hi));
  return cost;
}

Bandwidth read_bandwidth(YamlMap& map, const std::string& key, int lo, int hi) {
  if (is_plain(map.at(key))) return map.integer(key, lo, hi);
  const std::string text = map.text(key);
  Bandwidth bandwidth;
  const std::string wrong = read_bandwidth(text, bandwidth);
  if (!wrong.empty()) map.fail(key, fmt::format("{} '{}': {}", key, text, wrong));
  if (!bandwidth.may_be_in(lo, hi))
    map.fail(key, fmt::format("{} {} is out of range; allowed: {}..{} bits", key, text, lo, hi));
  return bandwidth;
}

void FieldTable::field(const char* name, int& value, int lo, int hi, const Doc& doc) {
  const std::string allowed = doc.values ? doc.values : fmt::format("{}..{}", lo, hi);
  rows_.push_back({name, "int", allowed, std::to_string(value), doc.text, doc.effect});
}

void FieldTable::field(const char* name, double& value, double lo, double hi, const Doc& doc) {
  rows_.push_back({name, "number", fmt::format("{}..{}", lo, hi), fmt::format("{}", value), doc.text, doc.effect});
}

void FieldTable::field(const char* name, Cost& value, int lo, int hi, const Doc& doc) {
  rows_.push_back({name, "cost", fmt::format("{}..{} cycles", lo, hi), value.text(), doc.text, doc.effect,
                   value.is_timed() ? std::to_string(int{value}) : ""});
}

void FieldTable::field(const char* name, Bandwidth& value, int lo, int hi, const Doc& doc) {
  rows_.push_back({name, "bandwidth", fmt::format("{}..{} bits", lo, hi), value.text(), doc.text, doc.effect,
                   value.is_rate() ? std::to_string(int{value}) : ""});
}

void FieldTable::field(const char* name, bool& value, const Doc& doc) {
  rows_.push_back({name, "bool", "true | false", value ? "true" : "false", doc.text, doc.effect});
}

void FieldTable::field(const char* name, std::string& value, const Doc& doc) {
  rows_.push_back({name, "text", "", value, doc.text, doc.effect});
}

}  // namespace fansim::base

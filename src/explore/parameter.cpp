// SPDX-License-Identifier: Apache-2.0
#include "explore/parameter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <unordered_set>

#include "base/units.h"

namespace fansim::explore {
namespace {

using base::YamlMap;
using base::YamlNode;

constexpr int kLargest = 1 << 20;
constexpr const char* kForms[] = {"range", "powers_of_two", "divisors"};

Value integer(int number) { return {std::to_string(number), number, {}}; }

std::vector<int> range(const std::vector<int>& ends, YamlMap& map) {
  if (ends.size() != 2 && ends.size() != 3) map.fail("range", "range: expected [FIRST, LAST] or [FIRST, LAST, STEP]");
  const int step = ends.size() == 3 ? ends[2] : 1;
  if (step < 1) map.fail("range", fmt::format("range: step {} must be 1 or more", step));
  std::vector<int> numbers;
  for (int number = ends[0]; number <= ends[1]; number += step) numbers.push_back(number);
  return numbers;
}

std::vector<int> powers_of_two(const std::vector<int>& ends, YamlMap& map) {
  if (ends.size() != 2) map.fail("powers_of_two", "powers_of_two: expected [LEAST, MOST]");
  std::vector<int> numbers;
  for (int number = 1; number <= ends[1]; number *= 2)
    if (number >= ends[0]) numbers.push_back(number);
  return numbers;
}

std::vector<int> divisors(int whole) {
  std::vector<int> numbers;
  for (int number = 1; number <= whole; ++number)
    if (whole % number == 0) numbers.push_back(number);
  return numbers;
}

std::vector<int> numbers_of(YamlMap& map, const YamlNode& node, const std::string& path) {
  const auto given = std::count_if(std::begin(kForms), std::end(kForms), [&](const char* f) { return map.has(f); });
  if (given != 1)
    map.fail(node.where,
             fmt::format("{}: expected a list of values or one of range, powers_of_two, divisors; found {} of them",
                         path, given));
  if (map.has("range")) return range(map.integers("range", -kLargest, kLargest), map);
  if (map.has("powers_of_two")) return powers_of_two(map.integers("powers_of_two", 1, kLargest), map);
  return divisors(map.integer("divisors", 1, kLargest));
}

// Returns whether `factor` is the smallest factor that does `whole` elements in its number of turns.
bool least_for(int factor, int whole) {
  return factor >= 1 && factor <= whole && base::ceil_div(whole, base::ceil_div(whole, factor)) == factor;
}

void read_list(Parameter& parameter, const YamlNode& node) {
  for (const YamlNode& item : node.items) {
    if (item.kind != YamlNode::Kind::scalar)
      throw base::UserError(item.where, fmt::format("{}: expected a value, found {}", parameter.path, item.found()));
    parameter.values.push_back(value_of(item.scalar));
    parameter.values.back().where = item.where;
    if (parameter.values.back().number.has_value() != parameter.values.front().number.has_value())
      throw base::UserError(item.where,
                            fmt::format("{}: '{}': numbers and words in one list", parameter.path, item.scalar));
  }
  parameter.raw_count = static_cast<double>(parameter.values.size());
}

void read_form(Parameter& parameter, const YamlNode& node) {
  YamlMap map(node, parameter.path);
  std::vector<int> numbers = numbers_of(map, node, parameter.path);
  parameter.raw_count = static_cast<double>(numbers.size());
  if (map.has("least_waste_of")) {
    const std::vector<int> wholes = map.integers("least_waste_of", 1, kLargest);
    const auto wasteful = [&](int number) {
      return std::none_of(wholes.begin(), wholes.end(), [&](int whole) { return least_for(number, whole); });
    };
    numbers.erase(std::remove_if(numbers.begin(), numbers.end(), wasteful), numbers.end());
  }
  map.finish();
  for (const int number : numbers) parameter.values.push_back(integer(number));
}

void put_in_order(Parameter& parameter) {
  const auto before = [](const Value& a, const Value& b) { return a.number < b.number; };
  if (parameter.numeric()) std::stable_sort(parameter.values.begin(), parameter.values.end(), before);
  std::unordered_set<std::string> words;
  const Value* last = nullptr;
  for (const Value& value : parameter.values) {
    const bool same = parameter.numeric() ? last && last->number == value.number : !words.insert(value.text).second;
    if (same) throw base::UserError(parameter.where, fmt::format("{}: value {} twice", parameter.path, value.text));
    last = &value;
  }
}

}  // namespace

Value value_of(const std::string& text) {
  if (text == "true") return {text, 1, {}};
  if (text == "false") return {text, 0, {}};
  if (text.empty()) return {text, std::nullopt, {}};
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (*end == '/' && end != text.c_str()) {  // a clock frequency such as 1000/3
    char* rest = nullptr;
    const double below = std::strtod(end + 1, &rest);
    if (*rest == '\0' && rest != end + 1 && below > 0 && std::isfinite(number / below))
      return {text, number / below, {}};
  }
  if (*end != '\0' || !std::isfinite(number)) return {text, std::nullopt, {}};
  return {text, number, {}};
}

Parameter read_parameter(const std::string& path, const YamlNode& node) {
  Parameter parameter;
  parameter.path = path;
  parameter.where = node.where;
  if (node.kind == YamlNode::Kind::list) {
    read_list(parameter, node);
  } else if (node.kind == YamlNode::Kind::map) {
    read_form(parameter, node);
  } else {
    throw base::UserError(node.where,
                          fmt::format("{}: expected a list of values or a map, found {}", path, node.found()));
  }
  if (parameter.values.empty()) throw base::UserError(node.where, fmt::format("{}: no value is left", path));
  put_in_order(parameter);
  return parameter;
}

}  // namespace fansim::explore

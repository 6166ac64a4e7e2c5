// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/yaml.h"

namespace fansim::explore {

// Holds a value as `--set` takes it, and as a number if it is one (true is 1, false is 0).
struct Value {
  std::string text;
  std::optional<double> number;
  std::optional<base::Location> where{};  // where the file writes it, if it does
};

Value value_of(const std::string& text);

// Holds a key of the configuration and the values that it may have.
struct Parameter {
  std::string path;           // for example conv.tm
  std::vector<Value> values;  // numbers in ascending order, words in the file's order
  double raw_count = 0;       // number of values before least_waste_of
  base::Location where;

  bool numeric() const { return values.front().number.has_value(); }
  int size() const { return static_cast<int>(values.size()); }
};

// Reads a list, or a map with one of
//   range: [FIRST, LAST] or [FIRST, LAST, STEP]    powers_of_two: [LEAST, MOST]    divisors: NUMBER
// and optionally least_waste_of: [N...]. That is eq. (14) of FAQ-CNN as its text explains it: of all factors that do N
// elements in the same number of turns k, only the smallest, ceil(N / k), is kept. A larger factor would only compute
// padding.
Parameter read_parameter(const std::string& path, const base::YamlNode& node);

}  // namespace fansim::explore

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/yaml.h"

namespace fansim::explore {

// A value as `--set` takes it; as a number, if it is one (true is 1, false 0).
struct Value {
  std::string text;
  std::optional<double> number;
  std::optional<base::Location> where{};  // if it is written out
};

Value value_of(const std::string& text);

// A key of the configuration and what it may be.
struct Parameter {
  std::string path;           // conv.tm
  std::vector<Value> values;  // numbers rising; words in the file's order
  double raw_count = 0;       // before least_waste_of
  base::Location where;

  bool numeric() const { return values.front().number.has_value(); }
  int size() const { return static_cast<int>(values.size()); }
};

// A list, or a map with one of
//   range: [FIRST, LAST] or [FIRST, LAST, STEP]    powers_of_two: [LEAST, MOST]    divisors: NUMBER
// and perhaps least_waste_of: [N...], FAQ-CNN's eq. (14) as its prose has it: for each number of turns k, of the
// factors that do N elements in k turns only the least, ceil(N / k), is kept; a larger one computes more of nothing.
Parameter read_parameter(const std::string& path, const base::YamlNode& node);

}  // namespace fansim::explore

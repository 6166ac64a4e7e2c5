// SPDX-License-Identifier: Apache-2.0
#include "base/set_field.h"

#include <fmt/format.h>

#include <cstdlib>

#include "base/error.h"

namespace fansim::base {

void SetField::field(const char* name, int& value, int lo, int hi, const Doc&) {
  if (!is(name)) return;
  char* end = nullptr;
  const long long number = std::strtoll(text_.c_str(), &end, 10);
  if (text_.empty() || *end != '\0') {
    problem_ = fmt::format("{}: expected an integer {}..{}, found '{}'", name, lo, hi, text_);
  } else if (number < lo || number > hi) {
    problem_ = fmt::format("{} {} is out of range; allowed: an integer {}..{}", name, text_, lo, hi);
  } else {
    value = static_cast<int>(number);
  }
}

void SetField::field(const char* name, double& value, double lo, double hi, const Doc&) {
  if (!is(name)) return;
  char* end = nullptr;
  const double number = std::strtod(text_.c_str(), &end);
  if (text_.empty() || *end != '\0' || !(number >= lo && number <= hi)) {
    problem_ = fmt::format("{} '{}' is out of range; allowed: {}..{}", name, text_, lo, hi);
  } else {
    value = number;
  }
}

void SetField::field(const char* name, bool& value, const Doc&) {
  if (!is(name)) return;
  if (text_ != "true" && text_ != "false") {
    problem_ = fmt::format("{}: expected true or false, found '{}'", name, text_);
  } else {
    value = text_ == "true";
  }
}

void SetField::field(const char* name, std::string& value, const Doc&) {
  if (is(name)) value = text_;
}

void SetField::refuse(const std::vector<std::string>& words) {
  problem_ = fmt::format("{} '{}' unknown{}", name_, text_, did_you_mean(text_, words));
}

}  // namespace fansim::base

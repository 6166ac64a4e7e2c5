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

// A number without a unit is set as an integer, with an integer's messages.
template <class Value>
void SetField::with_unit(const char* name, Value& value, int lo, int hi, Reader<Value> read) {
  if (!is(name)) return;
  if (text_.find_first_not_of("+-0123456789") == std::string::npos) {
    int number = 0;
    field(name, number, lo, hi, "");
    if (problem_.empty()) value = number;
    return;
  }
  Value found;
  if (const std::string wrong = read(text_, found); !wrong.empty()) {
    problem_ = fmt::format("{} '{}': {}", name, text_, wrong);
  } else if (!found.may_be_in(lo, hi)) {
    problem_ = fmt::format("{} {} is out of range; allowed: {}..{}", name, text_, lo, hi);
  } else {
    value = found;
  }
}

void SetField::field(const char* name, Cost& value, int lo, int hi, const Doc&) {
  with_unit<Cost>(name, value, lo, hi, read_cost);
}

void SetField::field(const char* name, Bandwidth& value, int lo, int hi, const Doc&) {
  with_unit<Bandwidth>(name, value, lo, hi, read_bandwidth);
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

void SetField::no_choice(const std::vector<std::string>& words) {
  std::string allowed;
  for (const std::string& word : words) allowed += (allowed.empty() ? "" : ", ") + word;
  problem_ = fmt::format("{} '{}'; allowed: {}{}", name_, text_, allowed, did_you_mean(text_, words));
}

}  // namespace fansim::base

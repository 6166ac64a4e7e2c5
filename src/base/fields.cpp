// SPDX-License-Identifier: Apache-2.0
#include "base/fields.h"

#include <fmt/format.h>

namespace fansim::base {

void FieldTable::field(const char* name, int& value, int lo, int hi, const char* doc) {
  rows_.push_back({name, "int", fmt::format("{}..{}", lo, hi), std::to_string(value), doc});
}

void FieldTable::field(const char* name, double& value, double lo, double hi, const char* doc) {
  rows_.push_back({name, "number", fmt::format("{}..{}", lo, hi), fmt::format("{}", value), doc});
}

void FieldTable::field(const char* name, bool& value, const char* doc) {
  rows_.push_back({name, "bool", "true | false", value ? "true" : "false", doc});
}

void FieldTable::field(const char* name, std::string& value, const char* doc) {
  rows_.push_back({name, "text", "", value, doc});
}

}  // namespace fansim::base

// SPDX-License-Identifier: Apache-2.0
#include "base/fields.h"

#include <fmt/format.h>

namespace fansim::base {

void FieldTable::field(const char* name, int& value, int lo, int hi, const Doc& doc) {
  const std::string allowed = doc.values ? doc.values : fmt::format("{}..{}", lo, hi);
  rows_.push_back({name, "int", allowed, std::to_string(value), doc.text, doc.effect});
}

void FieldTable::field(const char* name, double& value, double lo, double hi, const Doc& doc) {
  rows_.push_back({name, "number", fmt::format("{}..{}", lo, hi), fmt::format("{}", value), doc.text, doc.effect});
}

void FieldTable::field(const char* name, bool& value, const Doc& doc) {
  rows_.push_back({name, "bool", "true | false", value ? "true" : "false", doc.text, doc.effect});
}

void FieldTable::field(const char* name, std::string& value, const Doc& doc) {
  rows_.push_back({name, "text", "", value, doc.text, doc.effect});
}

}  // namespace fansim::base

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fansim::report {

// Quotes a field by RFC 4180: a field with a comma, quote or line break stands in quotes, and its quotes are doubled.
inline std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace fansim::report

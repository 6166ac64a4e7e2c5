// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fansim::report {

// Escapes a text for HTML.
inline std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : std::string(1, c);
  return out;
}

}  // namespace fansim::report

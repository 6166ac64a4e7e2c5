// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace fansim::compile {

// Returns 1234567 as "1,234,567".
inline std::string grouped(std::int64_t value) {
  std::string digits = std::to_string(value);
  const int first_digit = value < 0 ? 1 : 0;
  for (int at = static_cast<int>(digits.size()) - 3; at > first_digit; at -= 3)
    digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

}  // namespace fansim::compile

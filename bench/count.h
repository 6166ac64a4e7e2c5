// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace fansim::bench {

// Parses a count of 1 to `most`, digits only; returns nothing for any other text.
inline std::optional<int> count_of(std::string_view text, int most) {
  int count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count < 1 || count > most) return std::nullopt;
  return count;
}

}  // namespace fansim::bench

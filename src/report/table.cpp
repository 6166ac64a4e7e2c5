// SPDX-License-Identifier: Apache-2.0
#include "report/table.h"

#include <fmt/format.h>

#include <algorithm>

namespace fansim::report {

std::string Table::text() const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  std::size_t line = 0;
  for (const std::size_t width : widths) line += width + 2;

  std::string out;
  for (const auto& row : rows_) {
    std::string text = row.empty() && line > 2 ? std::string(line - 2, '-') : "";
    for (std::size_t c = 0; c < row.size(); ++c) {
      text += c < left_ || c >= right_end_ ? fmt::format("{:<{}}", row[c], widths[c])
                                           : fmt::format("{:>{}}", row[c], widths[c]);
      text += "  ";
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + "\n";
  }
  return out;
}

std::size_t widest(const std::string& text) {
  std::size_t most = 0;
  for (std::size_t from = 0, to = 0; from < text.size(); from = to + 1) {
    to = std::min(text.find('\n', from), text.size());
    most = std::max(most, to - from);
  }
  return most;
}

std::string grouped(std::int64_t value) {
  std::string digits = std::to_string(value);
  const std::size_t sign = value < 0 ? 1 : 0;
  for (std::size_t at = digits.size(); at > sign + 3;) digits.insert(at -= 3, ",");
  return digits;
}

}  // namespace fansim::report

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fansim::report {

// Aligns rows of cells in columns: the first `left` columns and those from `right_end` on are flush left, the others
// flush right. A row without cells is a rule.
class Table {
 public:
  explicit Table(std::size_t left, std::size_t right_end = SIZE_MAX) : left_(left), right_end_(right_end) {}
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  void rule() { rows_.emplace_back(); }
  std::string text() const;

 private:
  std::size_t left_, right_end_;
  std::vector<std::vector<std::string>> rows_;
};

// Returns the width of a text's longest line.
std::size_t widest(const std::string& text);

// Converts 78250000 to "78,250,000".
std::string grouped(std::int64_t value);

}  // namespace fansim::report

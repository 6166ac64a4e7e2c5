// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fansim::report {

// Rows of cells set in columns: the first `left` columns flush left, the others flush right; a row without cells is a
// rule.
class Table {
 public:
  explicit Table(std::size_t left) : left_(left) {}
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  void rule() { rows_.emplace_back(); }
  std::string text() const;

 private:
  std::size_t left_;
  std::vector<std::vector<std::string>> rows_;
};

// 78250000 -> "78,250,000".
std::string grouped(std::int64_t value);

}  // namespace fansim::report

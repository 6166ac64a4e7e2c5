// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace fansim::base {

struct CsvCell {
  std::string text;  // blanks around it removed
  Location where;
};
using CsvRow = std::vector<CsvCell>;

// The rows of comma-separated text without quotes. Blank lines and lines that begin with '#' are no rows.
std::vector<CsvRow> parse_csv(std::string_view text, const std::string& file);

// Where each of `names` stands in the header; each must, once, and nothing else may.
std::vector<std::size_t> csv_columns(const CsvRow& header, const std::vector<std::string>& names);

// A row must have as many cells as the header.
void check_csv_width(const CsvRow& row, std::size_t columns);

// Decimal, or hexadecimal behind 0x; of at most 63 bits.
std::optional<std::uint64_t> csv_natural(const std::string& text);

}  // namespace fansim::base

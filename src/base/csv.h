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
  std::string text;  // without the blanks around it
  Location where;
};
using CsvRow = std::vector<CsvCell>;

// Returns the rows of comma-separated text without quotes. It skips blank lines and lines that begin with '#'.
std::vector<CsvRow> parse_csv(std::string_view text, const std::string& file);

// Returns the column of each of `names`. The header must hold each of them once and nothing else.
std::vector<std::size_t> csv_columns(const CsvRow& header, const std::vector<std::string>& names);

// Throws UserError unless the row has as many cells as the header.
void check_csv_width(const CsvRow& row, std::size_t columns);

// Reads a decimal number, or a hexadecimal one that begins with 0x, of at most 63 bits.
std::optional<std::uint64_t> csv_natural(const std::string& text);

}  // namespace fansim::base

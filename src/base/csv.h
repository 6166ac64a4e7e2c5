// SPDX-License-Identifier: Apache-2.0
#pragma once

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

}  // namespace fansim::base

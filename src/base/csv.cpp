// SPDX-License-Identifier: Apache-2.0
#include "base/csv.h"

#include <algorithm>

namespace fansim::base {
namespace {

constexpr std::string_view kBlanks = " \t\r";

CsvCell cell(std::string_view line, std::size_t begin, std::size_t end, const Location& row) {
  const std::string_view text = line.substr(begin, end - begin);
  const std::size_t first = std::min(text.find_first_not_of(kBlanks), text.size());
  const std::size_t last = text.find_last_not_of(kBlanks) + 1;
  return {std::string(text.substr(first, last > first ? last - first : 0)),
          {row.file, row.line, static_cast<int>(begin + first) + 1}};
}

CsvRow split(std::string_view line, const Location& row) {
  CsvRow cells;
  std::size_t begin = 0;
  for (std::size_t comma = line.find(','); comma != std::string_view::npos; comma = line.find(',', begin)) {
    cells.push_back(cell(line, begin, comma, row));
    begin = comma + 1;
  }
  cells.push_back(cell(line, begin, line.size(), row));
  return cells;
}

}  // namespace

std::vector<CsvRow> parse_csv(std::string_view text, const std::string& file) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) text.remove_prefix(kByteOrderMark.size());
  std::vector<CsvRow> rows;
  Location where{file, 0, 1};
  while (!text.empty()) {
    ++where.line;
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t first = line.find_first_not_of(kBlanks);
    if (first != std::string_view::npos && line[first] != '#') rows.push_back(split(line, where));
  }
  return rows;
}

}  // namespace fansim::base

// SPDX-License-Identifier: Apache-2.0
#include "base/csv.h"

#include <fmt/format.h>

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

std::vector<std::size_t> csv_columns(const CsvRow& header, const std::vector<std::string>& names) {
  std::vector<std::size_t> columns(names.size(), header.size());
  for (std::size_t i = 0; i < header.size(); ++i) {
    const CsvCell& cell = header[i];
    const auto name = std::find(names.begin(), names.end(), cell.text);
    if (name == names.end())
      throw UserError(cell.where, fmt::format("column '{}' unknown{}", cell.text, did_you_mean(cell.text, names)));
    std::size_t& column = columns[static_cast<std::size_t>(name - names.begin())];
    if (column != header.size()) throw UserError(cell.where, fmt::format("column {} stands twice", cell.text));
    column = i;
  }
  for (std::size_t i = 0; i < names.size(); ++i)
    if (columns[i] == header.size()) throw UserError(header[0].where, fmt::format("column '{}' is missing", names[i]));
  return columns;
}

void check_csv_width(const CsvRow& row, std::size_t columns) {
  if (row.size() != columns)
    throw UserError(row[std::min(row.size() - 1, columns)].where,
                    fmt::format("{} cells, but the header has {}", row.size(), columns));
}

std::optional<std::uint64_t> csv_natural(const std::string& text) {
  const bool hexadecimal = text.rfind("0x", 0) == 0 || text.rfind("0X", 0) == 0;
  const std::string digits = text.substr(hexadecimal ? 2 : 0);
  const std::size_t most = hexadecimal ? 15 : 18;
  const char* const allowed = hexadecimal ? "0123456789abcdefABCDEF" : "0123456789";
  if (digits.empty() || digits.size() > most || digits.find_first_not_of(allowed) != std::string::npos)
    return std::nullopt;
  return std::stoull(digits, nullptr, hexadecimal ? 16 : 10);
}

}  // namespace fansim::base

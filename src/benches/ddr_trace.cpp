// SPDX-License-Identifier: Apache-2.0
#include "benches/ddr_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/csv.h"

namespace fansim::benches {
namespace {

using base::CsvCell;
using base::CsvRow;
using base::UserError;

enum Column : std::size_t { stream, write, address, bytes, kColumns };
const std::vector<std::string> kNames{"stream", "write", "address", "bytes"};

std::array<std::size_t, kColumns> columns_of(const CsvRow& header) {
  std::array<std::size_t, kColumns> columns;
  columns.fill(header.size());
  for (std::size_t i = 0; i < header.size(); ++i) {
    const CsvCell& cell = header[i];
    const auto name = std::find(kNames.begin(), kNames.end(), cell.text);
    if (name == kNames.end())
      throw UserError(cell.where,
                      fmt::format("column '{}' unknown{}", cell.text, base::did_you_mean(cell.text, kNames)));
    std::size_t& column = columns[static_cast<std::size_t>(name - kNames.begin())];
    if (column != header.size()) throw UserError(cell.where, fmt::format("column {} stands twice", cell.text));
    column = i;
  }
  for (std::size_t i = 0; i < kColumns; ++i)
    if (columns[i] == header.size()) throw UserError(header[0].where, fmt::format("column '{}' is missing", kNames[i]));
  return columns;
}

// Decimal, or hexadecimal behind 0x.
std::optional<std::uint64_t> natural(const std::string& text) {
  const bool hexadecimal = text.rfind("0x", 0) == 0 || text.rfind("0X", 0) == 0;
  const std::string digits = text.substr(hexadecimal ? 2 : 0);
  const std::size_t most = hexadecimal ? 15 : 18;  // fits 63 bits
  const char* const allowed = hexadecimal ? "0123456789abcdefABCDEF" : "0123456789";
  if (digits.empty() || digits.size() > most || digits.find_first_not_of(allowed) != std::string::npos)
    return std::nullopt;
  return std::stoull(digits, nullptr, hexadecimal ? 16 : 10);
}

std::uint64_t number(const CsvCell& cell, Column column, std::uint64_t lo, std::uint64_t hi) {
  const std::optional<std::uint64_t> value = natural(cell.text);
  if (!value)
    throw UserError(cell.where,
                    fmt::format("{}: expected a number such as 4096 or 0x1000, found '{}'", kNames[column], cell.text));
  if (*value < lo || *value > hi)
    throw UserError(cell.where,
                    fmt::format("{} {} is out of range; allowed: {}..{}", kNames[column], cell.text, lo, hi));
  return *value;
}

rules::DdrBurst burst_of(const CsvRow& row, const std::array<std::size_t, kColumns>& columns,
                         const contract::DdrPart& part) {
  constexpr std::uint64_t kMostStreams = 1024;
  const auto cell = [&](Column column) -> const CsvCell& { return row[columns[column]]; };
  rules::DdrBurst burst;
  burst.stream = static_cast<int>(number(cell(stream), stream, 0, kMostStreams - 1));
  burst.write = number(cell(write), write, 0, 1) == 1;
  burst.address = number(cell(address), address, 0, part.bytes() - 1);
  burst.bytes = static_cast<std::int64_t>(number(cell(bytes), bytes, 1, part.bytes()));
  if (burst.address + static_cast<std::uint64_t>(burst.bytes) > part.bytes())
    throw UserError(cell(bytes).where, fmt::format("{} bytes at {:#x} end beyond the {} bytes of {}", burst.bytes,
                                                   burst.address, part.bytes(), part.name));
  return burst;
}

}  // namespace

std::vector<rules::DdrBurst> parse_ddr_trace(std::string_view text, const std::string& file,
                                             const contract::DdrPart& part) {
  const std::vector<CsvRow> rows = base::parse_csv(text, file);
  if (rows.empty()) throw UserError({file, 0, 0}, "empty: expected the columns stream,write,address,bytes");
  const std::array<std::size_t, kColumns> columns = columns_of(rows[0]);
  std::vector<rules::DdrBurst> bursts;
  for (std::size_t r = 1; r < rows.size(); ++r) {
    if (rows[r].size() != kColumns)
      throw UserError(rows[r][std::min(rows[r].size() - 1, std::size_t{kColumns})].where,
                      fmt::format("{} cells, but the header has {}", rows[r].size(), std::size_t{kColumns}));
    bursts.push_back(burst_of(rows[r], columns, part));
  }
  if (bursts.empty()) throw UserError({file, 0, 0}, "no burst under the header");
  return bursts;
}

std::string ddr_trace_csv(const std::vector<rules::DdrBurst>& bursts, const contract::DdrPart& part) {
  const double ns = 1000 / part.clock_mhz.value();
  const auto time = [ns](std::int64_t edge) { return static_cast<double>(edge) * ns; };
  std::string csv = "stream,write,address,bytes,issue_ns,first_ns,last_ns\n";
  for (const rules::DdrBurst& burst : bursts)
    csv += fmt::format("{},{},{:#x},{},{:.4f},{:.4f},{:.4f}\n", burst.stream, int{burst.write}, burst.address,
                       burst.bytes, time(burst.issue), time(burst.first), time(burst.last));
  return csv;
}

}  // namespace fansim::benches

// SPDX-License-Identifier: Apache-2.0
#include "benches/ddr_trace.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "base/csv.h"

namespace fansim::benches {
namespace {

using base::CsvCell;
using base::CsvRow;
using base::UserError;

enum Column : std::size_t { stream, write, address, bytes, kColumns };
const std::vector<std::string> kNames{"stream", "write", "address", "bytes"};

std::uint64_t number(const CsvCell& cell, Column column, std::uint64_t lo, std::uint64_t hi) {
  const std::optional<std::uint64_t> value = base::csv_natural(cell.text);
  if (!value)
    throw UserError(cell.where,
                    fmt::format("{}: expected a number such as 4096 or 0x1000, found '{}'", kNames[column], cell.text));
  if (*value < lo || *value > hi)
    throw UserError(cell.where,
                    fmt::format("{} {} is out of range; allowed: {}..{}", kNames[column], cell.text, lo, hi));
  return *value;
}

DdrBurst burst_of(const CsvRow& row, const std::vector<std::size_t>& columns, const contract::DdrPart& part) {
  constexpr std::uint64_t kMostStreams = 1024;
  const auto cell = [&](Column column) -> const CsvCell& { return row[columns[column]]; };
  DdrBurst burst;
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

std::vector<DdrBurst> parse_ddr_trace(std::string_view text, const std::string& file, const contract::DdrPart& part) {
  const std::vector<CsvRow> rows = base::parse_csv(text, file);
  if (rows.empty()) throw UserError({file, 0, 0}, "empty: expected the columns stream,write,address,bytes");
  const std::vector<std::size_t> columns = base::csv_columns(rows[0], kNames);
  std::vector<DdrBurst> bursts;
  for (std::size_t r = 1; r < rows.size(); ++r) {
    base::check_csv_width(rows[r], kColumns);
    bursts.push_back(burst_of(rows[r], columns, part));
  }
  if (bursts.empty()) throw UserError({file, 0, 0}, "no burst under the header");
  return bursts;
}

std::string ddr_trace_csv(const std::vector<DdrBurst>& bursts, const contract::DdrPart& part) {
  const double ns = 1000 / part.clock_mhz.value();
  const auto time = [ns](std::int64_t edge) { return static_cast<double>(edge) * ns; };
  std::string csv = "stream,write,address,bytes,issue_ns,first_ns,last_ns\n";
  for (const DdrBurst& burst : bursts)
    csv += fmt::format("{},{},{:#x},{},{:.4f},{:.4f},{:.4f}\n", burst.stream, int{burst.write}, burst.address,
                       burst.bytes, time(burst.issue), time(burst.first), time(burst.last));
  return csv;
}

}  // namespace fansim::benches

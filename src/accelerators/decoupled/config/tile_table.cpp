// SPDX-License-Identifier: Apache-2.0
#include "accelerators/decoupled/config/tile_table.h"

#include <fmt/format.h>

#include <vector>

#include "base/csv.h"
#include "base/error.h"

namespace fansim::decoupled {
namespace {

constexpr std::uint64_t kMost = 1 << 16;
const std::vector<std::string> kColumns{"layer", "rows", "columns", "inputs", "outputs", "threads"};
const std::vector<std::string> kThreads{"none", "outputs", "rows"};

int number(const base::CsvCell& cell, const std::string& column) {
  const auto value = base::csv_natural(cell.text);
  if (!value || *value > kMost)
    throw base::UserError(cell.where,
                          fmt::format("{} '{}'; allowed: an integer 0..{}, 0: what fits", column, cell.text, kMost));
  return static_cast<int>(*value);
}

Threads threads(const base::CsvCell& cell) {
  for (std::size_t i = 0; i < kThreads.size(); ++i)
    if (cell.text == kThreads[i]) return static_cast<Threads>(i);
  throw base::UserError(cell.where, fmt::format("threads '{}'; allowed: none, outputs, rows{}", cell.text,
                                                base::did_you_mean(cell.text, kThreads)));
}

}  // namespace

TileTable parse_tile_table(const std::string& text, const std::string& file) {
  const std::vector<base::CsvRow> rows = base::parse_csv(text, file);
  if (rows.empty()) throw base::UserError(base::Location{file, 0, 0}, "no rows: the first names the columns");
  const std::vector<std::size_t> at = base::csv_columns(rows.front(), kColumns);
  TileTable table;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const base::CsvRow& row = rows[i];
    base::check_csv_width(row, kColumns.size());
    const auto value = [&](std::size_t column) { return number(row[at[column]], kColumns[column]); };
    const base::CsvCell& name = row[at[0]];
    if (name.text.empty()) throw base::UserError(name.where, "layer: a name is missing");
    const TileLimits limits{value(1), value(2), value(3), value(4), threads(row[at[5]])};
    if (!table.emplace(name.text, limits).second)
      throw base::UserError(name.where, fmt::format("layer '{}' has a row already", name.text));
  }
  return table;
}

}  // namespace fansim::decoupled

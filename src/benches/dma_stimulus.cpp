// SPDX-License-Identifier: Apache-2.0
#include "benches/dma_stimulus.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "base/csv.h"

namespace fansim::benches {
namespace {

using Kind = DmaOp::Kind;

enum Column { kCycle, kOp, kAddress, kValue, kColumns };
const std::vector<std::string> kNames{"cycle", "op", "address", "value"};

// Returns the position of each known column in a row; -1: it is missing.
std::vector<int> columns_of(const base::CsvRow& header) {
  std::vector<int> columns(kColumns, -1);
  for (std::size_t i = 0; i < header.size(); ++i) {
    const auto known = std::find(kNames.begin(), kNames.end(), header[i].text);
    if (known == kNames.end())
      throw base::UserError(header[i].where, fmt::format("column '{}' unknown{}", header[i].text,
                                                         base::did_you_mean(header[i].text, kNames)));
    int& column = columns[static_cast<std::size_t>(known - kNames.begin())];
    if (column >= 0) throw base::UserError(header[i].where, fmt::format("column {} stands twice", header[i].text));
    column = static_cast<int>(i);
  }
  if (columns[kOp] < 0) throw base::UserError(header[0].where, "no column 'op'");
  return columns;
}

const DmaOpHelp& op_of(const base::CsvCell& cell) {
  std::vector<std::string> names;
  for (const DmaOpHelp& op : dma_ops()) {
    if (cell.text == op.name) return op;
    names.emplace_back(op.name);
  }
  throw base::UserError(cell.where, fmt::format("op '{}' unknown{}", cell.text, base::did_you_mean(cell.text, names)));
}

std::uint64_t number(const base::CsvCell& cell, const std::string& column, std::uint64_t most) {
  const bool hex = cell.text.rfind("0x", 0) == 0 || cell.text.rfind("0X", 0) == 0;
  const std::string digits = cell.text.substr(hex ? 2 : 0);
  const char* allowed = hex ? "0123456789abcdefABCDEF" : "0123456789";
  if (digits.empty() || digits.find_first_not_of(allowed) != std::string::npos)
    throw base::UserError(cell.where, fmt::format("{}: expected a number, found '{}'", column, cell.text));
  if (digits.size() > 16 || std::stoull(digits, nullptr, hex ? 16 : 10) > most)
    throw base::UserError(cell.where,
                          fmt::format("{}: {} is out of range; allowed: 0..{:#x}", column, cell.text, most));
  return std::stoull(digits, nullptr, hex ? 16 : 10);
}

// Reads one row with the columns of the header.
class RowReader {
 public:
  RowReader(const base::CsvRow& row, const std::vector<int>& columns) : row_(row), columns_(columns) {}

  const base::CsvCell& op() const { return row_[static_cast<std::size_t>(columns_[kOp])]; }
  // Returns the number in a column, or 0 if `wanted` is empty.
  std::uint64_t read(Column column, const char* wanted, std::uint64_t most) const {
    const bool needed = wanted[0] != '\0';
    const std::string& name = kNames[column];
    const int at = columns_[column];
    const base::CsvCell* cell = at < 0 ? nullptr : &row_[static_cast<std::size_t>(at)];
    const bool empty = cell == nullptr || cell->text.empty();
    if (needed && empty)
      throw base::UserError(cell ? cell->where : op().where, fmt::format("{} needs a {}: {}", op().text, name, wanted));
    if (!needed && !empty) throw base::UserError(cell->where, fmt::format("{} takes no {}", op().text, name));
    return needed ? number(*cell, name, most) : 0;
  }
  std::uint64_t cycle() const {
    const int at = columns_[kCycle];
    if (at < 0 || row_[static_cast<std::size_t>(at)].text.empty()) return 0;
    return number(row_[static_cast<std::size_t>(at)], "cycle", 1'000'000'000);
  }
  const base::Location& where(Column column) const { return row_[static_cast<std::size_t>(columns_[column])].where; }

 private:
  const base::CsvRow& row_;
  const std::vector<int>& columns_;
};

DmaOp read_row(const RowReader& row, std::uint64_t memory_bytes) {
  const DmaOpHelp& help = op_of(row.op());
  const bool memory = help.kind == Kind::poke || help.kind == Kind::peek;
  DmaOp op;
  op.where = row.op().where;
  op.kind = help.kind;
  op.cycle = static_cast<sim::Edge>(row.cycle());
  op.address = row.read(kAddress, help.address, memory ? memory_bytes - 4 : 0x3ff);
  op.value = static_cast<std::uint32_t>(row.read(kValue, help.value, UINT32_MAX));
  if (op.address % 4 != 0) throw base::UserError(row.where(kAddress), "address: not a multiple of 4");
  if (op.kind == Kind::packet && op.value == 0) throw base::UserError(row.where(kValue), "value: a packet has bytes");
  return op;
}

}  // namespace

const std::vector<DmaOpHelp>& dma_ops() {
  static const std::vector<DmaOpHelp> all{
      {"write", Kind::write, "register offset", "32-bit value", "AXI-Lite write; the next step waits for its response"},
      {"read", Kind::read, "register offset", "", "AXI-Lite read; the value is in the output"},
      {"poke", Kind::poke, "memory address", "32-bit word", "store a word in memory at once, for descriptors"},
      {"peek", Kind::peek, "memory address", "", "show a word of memory in the output"},
      {"packet", Kind::packet, "", "bytes", "hand the stream into S2MM a packet, sent as fast as it is taken"},
      {"wait_mm2s", Kind::wait_mm2s, "", "", "wait until mm2s_introut is high"},
      {"wait_s2mm", Kind::wait_s2mm, "", "", "wait until s2mm_introut is high"},
  };
  return all;
}

std::vector<DmaOp> parse_dma_stimulus(const std::string& text, const std::string& file, std::uint64_t memory_bytes) {
  const std::vector<base::CsvRow> table = base::parse_csv(text, file);
  if (table.empty()) throw base::UserError({file, 0, 0}, "empty: expected a header with the column 'op'");
  const std::vector<int> columns = columns_of(table[0]);
  std::vector<DmaOp> ops;
  for (std::size_t i = 1; i < table.size(); ++i) {
    if (table[i].size() != table[0].size())
      throw base::UserError(table[i][0].where,
                            fmt::format("{} cells, but the header has {}", table[i].size(), table[0].size()));
    ops.push_back(read_row(RowReader(table[i], columns), memory_bytes));
  }
  return ops;
}

}  // namespace fansim::benches

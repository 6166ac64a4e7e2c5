// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sstream>

#include "base/error.h"
#include "estimate/utilisation.h"

namespace fansim::estimate {
namespace {

using base::Location;
using base::UserError;
using contract::Resources;

struct Row {
  int line = 0;
  int indent = 0;  // indent of the first cell
  std::vector<std::string> cells;
};

std::string trimmed(const std::string& text) {
  const std::size_t from = text.find_first_not_of(" \t\r");
  return from == std::string::npos ? "" : text.substr(from, text.find_last_not_of(" \t\r") + 1 - from);
}

// Splits a line of a table, "| a | b |"; returns nothing for any other line.
std::optional<Row> table_row(const std::string& text, int line) {
  const std::string body = trimmed(text);
  if (body.size() < 2 || body.front() != '|' || body.back() != '|') return std::nullopt;
  Row row{line, 0, {}};
  std::istringstream cells(body.substr(1, body.size() - 2));
  for (std::string cell; std::getline(cells, cell, '|');) {
    if (row.cells.empty()) row.indent = static_cast<int>(cell.find_first_not_of(' '));
    row.cells.push_back(trimmed(cell));
  }
  return row;
}

class VivadoReader {
 public:
  VivadoReader(const std::string& text, const std::string& file) : file_(file) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) lines_.push_back(line);
  }

  Utilisation read() {
    Utilisation result{file_, "Vivado", "", {}, false};
    std::string design;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const std::string& line = lines_[i];
      if (const auto value = header(line, "Device")) result.part = *value;
      if (const auto value = header(line, "Design")) design = *value;
      const auto row = table_row(line, static_cast<int>(i) + 1);
      if (!row || row->cells.size() < 3) continue;
      if (row->cells[0] == "Instance" && row->cells[1] == "Module") {
        result.top = hierarchy(i, *row);
        result.has_hierarchy = true;
      }
      collect_total(*row);
    }
    if (result.has_hierarchy) return result;
    if (!any_total_) fail(0, "not a utilisation report: neither a table 'Instance | Module' nor 'CLB LUTs' is in it");
    result.top = {design, design, total(), {}};
    return result;
  }

 private:
  // Reads a line such as "| Device       : xczu9eg-ffvb1156-2-e".
  static std::optional<std::string> header(const std::string& line, const std::string& key) {
    const std::size_t colon = line.find(':');
    if (line.rfind('|', 0) != 0 || colon == std::string::npos || trimmed(line.substr(1, colon - 1)) != key)
      return std::nullopt;
    return trimmed(line.substr(colon + 1));
  }

  double number(const Row& row, std::size_t column) const {
    const std::string& cell = row.cells[column];
    std::istringstream text(cell.substr(0, cell.find('(')));  // "810(0.30%)"
    double value = 0;
    if (!(text >> value) || value < 0 || !(text >> std::ws).eof())
      fail(row.line, fmt::format("expected a count, found '{}'", cell));
    if (value > static_cast<double>(kMostCells))
      fail(row.line, fmt::format("{}: more than the {} that any device has", cell, kMostCells));
    return value;
  }

  // Returns the column whose name begins with `name`.
  std::size_t column(const Row& head, const std::string& name) const {
    const auto found = std::find_if(head.cells.begin(), head.cells.end(),
                                    [&](const std::string& cell) { return cell.rfind(name, 0) == 0; });
    if (found == head.cells.end()) fail(head.line, fmt::format("the hierarchy's table has no column '{}'", name));
    return static_cast<std::size_t>(found - head.cells.begin());
  }

  Instance hierarchy(std::size_t& at, const Row& head) const {
    const std::size_t lut = column(head, "Total LUTs"), ff = column(head, "FFs"), ramb36 = column(head, "RAMB36"),
                      ramb18 = column(head, "RAMB18"), dsp = column(head, "DSP");
    std::vector<Row> rows;
    bool closed = false;
    for (at += 2; at < lines_.size() && !closed; ++at) {
      const int line = static_cast<int>(at) + 1;
      closed = trimmed(lines_[at]).rfind('+', 0) == 0;
      if (closed) break;
      const auto row = table_row(lines_[at], line);
      if (!row || row->cells.size() != head.cells.size()) fail(line, "the hierarchy's table is cut short here");
      if (row->cells[0].rfind('(', 0) != 0) rows.push_back(*row);  // "(name)" is the instance without what is below it
    }
    if (!closed || rows.empty()) fail(static_cast<int>(lines_.size()), "the hierarchy's table is cut short here");
    std::size_t next = 0;
    const auto use = [&](const Row& row) {
      return Resources{static_cast<int>(number(row, dsp)), static_cast<int>(number(row, lut)),
                       static_cast<int>(number(row, ff)), number(row, ramb36) + number(row, ramb18) / 2};
    };
    return subtree(rows, next, use);
  }

  template <class Use>
  static Instance subtree(const std::vector<Row>& rows, std::size_t& next, const Use& use) {
    const Row& row = rows[next++];
    Instance result{row.cells[0], row.cells[1] == "(top)" ? row.cells[0] : row.cells[1], use(row), {}};
    while (next < rows.size() && rows[next].indent > row.indent) result.below.push_back(subtree(rows, next, use));
    return result;
  }

  // Adds up the rows of the flat tables; a star marks a count before placement.
  void collect_total(const Row& row) {
    const std::string& name = row.cells[0];
    const auto is = [&](const char* what) { return name == what || name == std::string(what) + "*"; };
    if (is("Slice LUTs"))
      fail(row.line, "a report of another device family: it counts Slice LUTs, UltraScale+ CLB LUTs");
    const auto take = [&](const char* what, std::optional<double>& into) {
      if (!is(what) || into) return;
      into = number(row, 1);
      any_total_ = true;
    };
    take("CLB LUTs", lut_);
    take("CLB Registers", ff_);
    take("Block RAM Tile", bram_);
    take("DSPs", dsp_);
  }

  Resources total() const {
    const auto whole = [&](const std::optional<double>& value, const char* name) {
      if (!value) fail(static_cast<int>(lines_.size()), fmt::format("the report ends without a row '{}'", name));
      return *value;
    };
    return {static_cast<int>(whole(dsp_, "DSPs")), static_cast<int>(whole(lut_, "CLB LUTs")),
            static_cast<int>(whole(ff_, "CLB Registers")), whole(bram_, "Block RAM Tile")};
  }

  [[noreturn]] void fail(int line, const std::string& text) const { throw UserError(Location{file_, line, 1}, text); }

  const std::string& file_;
  std::vector<std::string> lines_;
  std::optional<double> lut_, ff_, bram_, dsp_;
  bool any_total_ = false;
};

}  // namespace

Utilisation parse_vivado(const std::string& text, const std::string& file) { return VivadoReader(text, file).read(); }

}  // namespace fansim::estimate

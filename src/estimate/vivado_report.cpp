// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <sstream>

#include "base/error.h"
#include "estimate/part.h"
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

// Returns whether the row names columns: then none of its cells is a number or empty.
bool is_head(const Row& row) {
  return std::none_of(row.cells.begin(), row.cells.end(), [](const std::string& cell) {
    return cell.empty() || cell[0] == '<' || std::isdigit(static_cast<unsigned char>(cell[0])) != 0;
  });
}

class VivadoReader {
 public:
  VivadoReader(const std::string& text, const std::string& file) : text_(text), file_(file) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) lines_.push_back(line);
  }

  Utilisation read() {
    Utilisation result{file_, "Vivado", "", {}, false};
    std::string design;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const std::string& line = lines_[i];
      if (const auto value = header(line, "Device")) {
        result.part = *value;
        if (is_versal(result.part)) refuse_versal(result.part);
      }
      if (const auto value = header(line, "Design")) design = *value;
      const auto row = table_row(line, static_cast<int>(i) + 1);
      if (!row || row->cells.size() < 3) continue;
      if (row->cells[0] == "Instance" && row->cells[1] == "Module") {
        result.top = hierarchy(i, *row);
        result.has_hierarchy = true;
      } else if (is_head(*row)) {
        head_ = *row;
      } else {
        collect_total(*row);
      }
    }
    if (!result.has_hierarchy) result.top = {design, design, total(), {}};
    result.family = family_;
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
                      ramb18 = column(head, "RAMB18"), dsp = column(head, "DSP"),
                      uram = static_cast<std::size_t>(std::find(head.cells.begin(), head.cells.end(), "URAM") -
                                                      head.cells.begin());
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
      Resources all{static_cast<int>(number(row, dsp)), static_cast<int>(number(row, lut)),
                    static_cast<int>(number(row, ff)), number(row, ramb36) + number(row, ramb18) / 2};
      if (uram < row.cells.size()) all.uram = static_cast<int>(number(row, uram));
      return all;
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

  // Takes a row of the flat tables by the column "Used"; a star marks a count before placement. Tables without that
  // column, such as those of dies, count the same again.
  void collect_total(const Row& row) {
    std::string name = row.cells[0];
    if (!name.empty() && name.back() == '*') name.pop_back();
    static const std::map<std::string, std::string> kRows{
        {"CLB LUTs", "LUT"}, {"Slice LUTs", "LUT"},        {"CLB Registers", "FF"}, {"Slice Registers", "FF"},
        {"DSPs", "DSP"},     {"Block RAM Tile", "BRAM36"}, {"URAM", "URAM"}};
    if (name == "DSP Slices") refuse_versal("it counts DSP Slices");
    const auto known = kRows.find(name);
    if (known == kRows.end()) return;
    const std::size_t used = used_column(row);
    if (used == 0) return;
    const auto [total, added] = totals_.try_emplace(known->second, number(row, used));
    if (known->second != "LUT") return;
    if (!added) fail(row.line, name + " a second time: several pblocks or designs; give the report of one");
    family_ = {"it counts " + name, name == "Slice LUTs"};
  }

  // Returns the column of the counts; 0: the table has none.
  std::size_t used_column(const Row& row) const {
    if (!head_) fail(row.line, fmt::format("a row '{}' without a table's head above it", row.cells[0]));
    const auto found = std::find(head_->cells.begin(), head_->cells.end(), "Used");
    if (head_->cells[0] != "Site Type" || found == head_->cells.end()) return 0;
    if (head_->cells.size() != row.cells.size())
      fail(row.line, fmt::format("{} cells under a head of {}", row.cells.size(), head_->cells.size()));
    return static_cast<std::size_t>(found - head_->cells.begin());
  }

  Resources total() const {
    if (totals_.empty()) {
      const std::string what = foreign_report(text_);
      if (!what.empty()) throw UserError(Location{file_, 0, 0}, fmt::format("it is {}; {}", what, kReportsRead));
      fail(0, "not a utilisation report: neither a table 'Instance | Module' nor 'CLB LUTs' is in it");
    }
    const auto whole = [&](const char* kind, const char* name) {
      const auto found = totals_.find(kind);
      if (found == totals_.end())
        fail(static_cast<int>(lines_.size()), fmt::format("the report ends without a row '{}'", name));
      return found->second;
    };
    Resources all{static_cast<int>(whole("DSP", "DSPs")), static_cast<int>(whole("LUT", "CLB LUTs")),
                  static_cast<int>(whole("FF", "CLB Registers")), whole("BRAM36", "Block RAM Tile")};
    if (const auto uram = totals_.find("URAM"); uram != totals_.end()) all.uram = static_cast<int>(uram->second);
    return all;
  }

  [[noreturn]] void refuse_versal(const std::string& what) const {
    throw UserError(Location{file_, 0, 0},
                    fmt::format("a report of Versal ({}), which has other DSP slices and no device file here; {} of 7 "
                                "series and UltraScale+",
                                what, kReportsRead));
  }

  [[noreturn]] void fail(int line, const std::string& text) const { throw UserError(Location{file_, line, 1}, text); }

  const std::string &text_, &file_;
  std::vector<std::string> lines_;
  std::optional<Row> head_;               // of the table that is read
  std::map<std::string, double> totals_;  // by kind
  std::optional<FamilySign> family_;
};

}  // namespace

Utilisation parse_vivado(const std::string& text, const std::string& file) { return VivadoReader(text, file).read(); }

}  // namespace fansim::estimate

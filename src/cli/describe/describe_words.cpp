// SPDX-License-Identifier: Apache-2.0
#include "cli/describe/describe_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "accelerators/registry.h"
#include "base/fields.h"
#include "contract/ddr_part.h"
#include "explore/space.h"
#include "report/table.h"
#include "training/formats/format_space.h"

namespace fansim::cli {
namespace {

using Cells = std::vector<std::string>;

// Splits a row of a page's table, "| `a`, `b` | c |", into its cells.
Cells cells_of(const std::string& row) {
  Cells cells;
  std::istringstream parts(row.substr(1));
  for (std::string part; std::getline(parts, part, '|');) {
    const std::size_t first = part.find_first_not_of(' '), last = part.find_last_not_of(' ');
    cells.push_back(first == std::string::npos ? "" : part.substr(first, last - first + 1));
  }
  return cells;
}

// Returns the words of a cell that stand in backquotes.
Cells words_of(const std::string& cell) {
  Cells words;
  std::istringstream parts(cell);
  std::string part;
  for (bool quoted = false; std::getline(parts, part, '`'); quoted = !quoted)
    if (quoted) words.push_back(part);
  return words;
}

// Calls f(head, row) for every row of the tables whose first column is "type".
template <class F>
void each_layer_row(F&& f) {
  std::istringstream lines{std::string(networks_page)};
  Cells head;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("| ", 0) != 0) {
      if (line.rfind("|---", 0) != 0) head.clear();
      continue;
    }
    const Cells cells = cells_of(line);
    if (cells.front() == "type")
      head = cells;
    else if (!head.empty() && cells.size() == head.size())
      f(head, cells);
  }
}

std::string unquoted(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), '`'), text.end());
  return text.empty() ? "none" : text;
}

// Lists the values, "4, 8, 16"; a long list is shortened to its ends.
std::string values_of(const explore::Parameter& parameter) {
  constexpr std::size_t kMost = 12;
  std::string text;
  const std::size_t count = parameter.values.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (count > kMost && i == kMost / 2) text += ", ...";
    if (count <= kMost || i < kMost / 2 || i + 2 > count) text += (text.empty() ? "" : ", ") + parameter.values[i].text;
  }
  return text;
}

std::string format_space_text(const std::string& file) {
  const training::formats::FormatSpace space = training::formats::load_format_space(file);
  std::string text = fmt::format("{}: formats of {}..{} bits for each layer of {}, to read {:g} %; {}\n\n", space.name,
                                 space.least_bits, space.most_bits, space.config, space.target_percent, file);
  report::Table table(2, 2);
  table.row({"layer", "parts of one format"});
  table.rule();
  for (const training::formats::Layer& layer : space.layers) {
    std::string parts;
    for (const std::string& word : layer.words) parts += (parts.empty() ? "" : ", ") + word;
    table.row({layer.name, parts});
  }
  return text + table.text();
}

}  // namespace

std::vector<std::string> layer_types() {
  std::vector<std::string> types;
  each_layer_row([&types](const Cells&, const Cells& row) {
    for (const std::string& word : words_of(row.front()))
      if (std::find(types.begin(), types.end(), word) == types.end()) types.push_back(word);
  });
  return types;
}

std::string layer_type_text(const std::string& type) {
  std::string text;
  each_layer_row([&](const Cells& head, const Cells& row) {
    const Cells words = words_of(row.front());
    if (std::find(words.begin(), words.end(), type) == words.end()) return;
    text += fmt::format("{}{}: layer type of a network (docs/networks.md)\n", text.empty() ? "" : "\n", type);
    for (std::size_t c = 1; c < head.size(); ++c) text += fmt::format("  {}: {}\n", head[c], unquoted(row[c]));
  });
  return text;
}

std::string space_text(const std::string& file) {
  if (training::formats::is_format_space(file)) return format_space_text(file);
  explore::Space space = explore::load_space(file);
  explore::demand_timing(space);
  std::string text = fmt::format("{}: {:.15g} points around {}, {}; {}\n\n", space.name, space.count(), space.config,
                                 name(space.search.method), file);
  report::Table table(1, 2);
  table.row({"parameter", "count", "values"});
  table.rule();
  for (const explore::Parameter& parameter : space.parameters)
    table.row({parameter.path, std::to_string(parameter.size()), values_of(parameter)});
  text += table.text();
  for (const std::string& setting : space.set) text += "set: " + setting + "\n";
  for (const explore::Derived& d : space.derived)
    text += fmt::format("follows: {} = {}\n", d.path, d.expression.text());
  for (const explore::Constraint& one : space.constraints) text += "constraint: " + one.expression.text() + "\n";
  for (const explore::Objective& one : space.objectives)
    text += fmt::format("objective: {} {}\n", one.maximise ? "most" : "least", row(one.metric).name);
  return text;
}

std::vector<std::string> block_keys() {
  std::set<std::string> keys;
  for (const accelerators::Kind& kind : accelerators::registry())
    for (const accelerators::Block& block : kind.blocks())
      for (const base::FieldRow& row : block.rows) keys.insert(block.key + "." + row.name);
  for (const base::FieldRow& row : base::field_rows<contract::DdrPart>()) keys.insert("ddr.part." + row.name);
  return {keys.begin(), keys.end()};
}

std::string key_text(const std::string& key) {
  std::string text;
  std::set<std::string> said;
  std::string type;
  const auto add = [&](const std::string& block, const base::FieldRow& row, const std::string& system) {
    if (block + "." + row.name != key) return;
    const std::string meaning =
        fmt::format("{}: {}\n  {}, {}, default {}", key, row.doc, row.type, row.allowed, row.fallback);
    if (said.insert(meaning).second) text += fmt::format("{} (system {})\n", meaning, system);
    type = row.type;
  };
  for (const accelerators::Kind& kind : accelerators::registry())
    for (const accelerators::Block& block : kind.blocks())
      for (const base::FieldRow& row : block.rows) add(block.key, row, kind.system);
  for (const base::FieldRow& row : base::field_rows<contract::DdrPart>()) add("ddr.part", row, "any");
  return text + type_text(type);
}

std::string type_text(const std::string& type) {
  if (type == "cost")
    return "cost: a number of cycles (38), a time (152 ns, 4 us), cycles of another clock (24 cycles of 1200 MHz), or "
           "a "
           "sum\n  (110 ns - 2 cycles); a time follows the clock and counts as whole cycles, rounded up\n";
  if (type == "bandwidth")
    return "bandwidth: bits a cycle (128), or a rate (4266 MB/s, 17 GB/s), which follows the clock and counts as whole "
           "bits,\n  rounded down\n";
  return "";
}

}  // namespace fansim::cli

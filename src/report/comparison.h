// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace fansim::report {

// Holds a report of `run --json` that was read from a file.
struct ReadReport {
  std::string file;
  nlohmann::ordered_json json;
};

// Throws UserError, which names the file, if the text is no report of this program or has another schema version.
ReadReport read_report(const std::string& file, const std::string& text);

// Holds one figure of every report; a report without that figure has no value.
struct ComparedRow {
  std::string name;
  std::vector<std::optional<double>> values;
  std::vector<std::string> texts;  // for figures that are no numbers, in place of the values

  // Returns by how much the last report differs from the first.
  double change() const;
};

// Sets the first report beside the others. It leaves out rows in which nothing differs, and sorts the others by their
// change, the largest first: layers by their cycles, buckets by theirs.
struct Comparison {
  std::vector<std::string> files, designs;  // a design is "network on configuration"
  std::vector<std::string> timing;          // whether each design meets its clock; "": it does, or that is not known
  std::vector<ComparedRow> configuration, totals, buckets, resources, layers;
  bool same() const;
};

Comparison compare(const std::vector<ReadReport>& reports);

std::string text(const Comparison& comparison);
// `gated` is what --fail-above made of the reports; empty: nobody asked.
std::string json(const Comparison& comparison, const nlohmann::ordered_json& gated = {});

}  // namespace fansim::report

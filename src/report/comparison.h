// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace fansim::report {

// A report of `run --json` as it was read.
struct ReadReport {
  std::string file;
  nlohmann::ordered_json json;
};

// UserError, naming the file, at what is no report of this program, or of another schema.
ReadReport read_report(const std::string& file, const std::string& text);

// A figure of every report; none where a report has no such figure.
struct ComparedRow {
  std::string name;
  std::vector<std::optional<double>> values;
  std::vector<std::string> texts;  // of what is no number, in place of the values

  // By how much the last differs from the first.
  double change() const;
};

// The first report beside the others. Rows in which nothing differs are left out; of the others those that changed most
// come first: layers by their cycles, buckets by theirs.
struct Comparison {
  std::vector<std::string> files, designs;  // "network on configuration"
  std::vector<ComparedRow> configuration, totals, buckets, resources, layers;
  bool same() const;
};

Comparison compare(const std::vector<ReadReport>& reports);

std::string text(const Comparison& comparison);
std::string json(const Comparison& comparison);

}  // namespace fansim::report

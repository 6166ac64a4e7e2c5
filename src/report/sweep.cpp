// SPDX-License-Identifier: Apache-2.0
#include "report/sweep.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "report/csv_field.h"
#include "report/table.h"

namespace fansim::report {
namespace {

using Json = nlohmann::ordered_json;

std::string cell(double value, int decimals) {
  return decimals == 0 ? grouped(std::llround(value)) : fmt::format("{:.{}f}", value, decimals);
}

}  // namespace

std::string text(const Sweep& sweep) {
  Table table(sweep.keys.size(), sweep.keys.size() + kSweepMetrics.size());
  std::vector<std::string> heads = sweep.keys;
  for (const SweepMetric& metric : kSweepMetrics) heads.emplace_back(metric.head);
  heads.emplace_back("timing");
  table.row(heads);
  table.rule();
  for (const SweepPoint& point : sweep.points) {
    std::vector<std::string> cells = point.values;
    for (std::size_t m = 0; m < kSweepMetrics.size(); ++m)
      cells.push_back(point.metrics ? cell((*point.metrics)[m], kSweepMetrics[m].decimals) : "");
    cells.emplace_back(point.timing ? words(point.timing->verdict()) : "");
    cells.push_back(point.reason);
    table.row(cells);
  }
  return fmt::format("{} on {}: {} points\n\n{}", sweep.network.name, sweep.config.name, sweep.points.size(),
                     table.text());
}

std::string csv(const Sweep& sweep) {
  std::string out;
  for (const std::string& key : sweep.keys) out += csv_field(key) + ",";
  for (const SweepMetric& metric : kSweepMetrics) out += fmt::format("{},", metric.name);
  out += "timing,reason\n";
  for (const SweepPoint& point : sweep.points) {
    for (const std::string& value : point.values) out += csv_field(value) + ",";
    for (std::size_t m = 0; m < kSweepMetrics.size(); ++m)
      out += point.metrics ? fmt::format("{},", (*point.metrics)[m]) : ",";
    out += fmt::format("{},", point.timing ? name(point.timing->verdict()) : "");
    out += csv_field(point.reason) + "\n";
  }
  return out;
}

std::string json(const Sweep& sweep) {
  Json json{{"schema", 1}};
  json["tool"] = {{"name", "fansim"}, {"version", sweep.tool.version}, {"command", sweep.tool.command}};
  json["config"] = {{"name", sweep.config.name}, {"hash", sweep.config.hash}};
  json["network"] = {{"name", sweep.network.name}, {"hash", sweep.network.hash}};
  json["keys"] = sweep.keys;
  json["points"] = Json::array();
  for (const SweepPoint& point : sweep.points) {
    Json one = Json::object();
    for (std::size_t k = 0; k < sweep.keys.size(); ++k) one["values"][sweep.keys[k]] = point.values[k];
    if (point.metrics)
      for (std::size_t m = 0; m < kSweepMetrics.size(); ++m) one[kSweepMetrics[m].name] = (*point.metrics)[m];
    if (point.timing) one["timing"] = name(point.timing->verdict());
    if (!point.reason.empty()) one["reason"] = point.reason;
    json["points"].push_back(std::move(one));
  }
  return json.dump(2) + "\n";
}

}  // namespace fansim::report

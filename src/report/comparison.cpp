// SPDX-License-Identifier: Apache-2.0
#include "report/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "base/error.h"
#include "report/table.h"

namespace fansim::report {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<ComparedRow>;

constexpr int kSchema = 1;

// Holds the values of one report by name, in the report's order.
using Figures = std::vector<std::pair<std::string, Json>>;

void flatten(const Json& json, const std::string& prefix, Figures& figures) {
  for (const auto& [key, value] : json.items()) {
    if (value.is_object())
      flatten(value, prefix + key + ".", figures);
    else if (!value.is_array())
      figures.emplace_back(prefix + key, value);
  }
}

const Json* find(const Figures& figures, const std::string& name) {
  const auto found = std::find_if(figures.begin(), figures.end(), [&](const auto& f) { return f.first == name; });
  return found == figures.end() ? nullptr : &found->second;
}

bool differs(const std::vector<const Json*>& values) {
  return std::any_of(values.begin(), values.end(), [&](const Json* value) {
    return (value == nullptr) != (values.front() == nullptr) || (value && *value != *values.front());
  });
}

// Returns the figures that differ between the reports, in the order in which they first occur.
Rows rows_of(const std::vector<Figures>& reports) {
  std::vector<std::string> names;
  for (const Figures& figures : reports)
    for (const auto& [name, value] : figures)
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  Rows rows;
  for (const std::string& name : names) {
    std::vector<const Json*> values;
    for (const Figures& figures : reports) values.push_back(find(figures, name));
    if (!differs(values)) continue;
    ComparedRow row;
    row.name = name;
    const bool numbers =
        std::all_of(values.begin(), values.end(), [](const Json* value) { return !value || value->is_number(); });
    for (const Json* value : values) {
      if (numbers)
        row.values.push_back(value ? std::optional(value->get<double>()) : std::nullopt);
      else
        row.texts.push_back(!value ? "-" : value->is_string() ? value->get<std::string>() : value->dump());
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

void largest_first(Rows& rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const ComparedRow& a, const ComparedRow& b) {
    return std::abs(a.change()) > std::abs(b.change());
  });
}

// Returns the verdict on a report's clock; reports of older programs have none.
std::string verdict_of(const Json& json) {
  const Json timing = json.value("timing", Json::object());
  const Json verdict = timing.is_object() ? timing.value("verdict", Json()) : Json();
  return verdict.is_string() ? verdict.get<std::string>() : "";
}

std::string timing_mark(const Json& json) {
  const std::string verdict = verdict_of(json);
  const Json clock = json.value("clock_hz", Json()), fmax = json.value("fmax_hz", Json());
  if (verdict.empty() || verdict == "fits" || !clock.is_number() || !fmax.is_number()) return "";
  return fmt::format("{} {:.6g} MHz{} Fmax {:.0f} MHz",
                     verdict == "cannot_tell" ? "cannot tell whether it meets" : "clock", clock.get<double>() / 1e6,
                     verdict == "cannot_tell" ? ":" : " above", fmax.get<double>() / 1e6);
}

Rows compared(const std::vector<ReadReport>& reports, const std::function<void(const Json&, Figures&)>& pick) {
  std::vector<Figures> figures(reports.size());
  for (std::size_t i = 0; i < reports.size(); ++i) pick(reports[i].json, figures[i]);
  return rows_of(figures);
}

std::string number_text(const std::optional<double>& value) {
  if (!value) return "-";
  if (*value == std::floor(*value) && std::abs(*value) < 1e15) return grouped(static_cast<std::int64_t>(*value));
  return fmt::format("{:.4g}", *value);
}

std::string percent(const ComparedRow& row) {
  if (row.values.empty() || !row.values.front() || !row.values.back() || *row.values.front() == 0) return "";
  return fmt::format("{:+.1f}", 100 * row.change() / *row.values.front());
}

std::string change(const ComparedRow& row) {
  if (row.values.empty()) return "";
  const double by = row.change();
  return (by > 0 ? "+" : "") + number_text(by);
}

void add(std::string& out, const char* head, const Rows& rows, const Comparison& comparison) {
  if (rows.empty()) return;
  Table table(1);
  std::vector<std::string> heads{head};
  for (std::size_t i = 0; i < comparison.files.size(); ++i) heads.emplace_back(1, static_cast<char>('A' + i % 26));
  heads.emplace_back("change");
  heads.emplace_back("%");
  table.row(heads);
  table.rule();
  for (const ComparedRow& row : rows) {
    std::vector<std::string> cells{row.name};
    for (const auto& value : row.values) cells.push_back(number_text(value));
    cells.insert(cells.end(), row.texts.begin(), row.texts.end());
    cells.push_back(change(row));
    cells.push_back(percent(row));
    table.row(cells);
  }
  out += "\n" + table.text();
}

Json json_of(const Rows& rows) {
  Json all = Json::array();
  for (const ComparedRow& row : rows) {
    Json one{{"name", row.name}, {"values", Json::array()}};
    for (const auto& value : row.values) one["values"].push_back(value ? Json(*value) : Json());
    for (const std::string& value : row.texts) one["values"].push_back(value);
    if (!row.values.empty()) one["change"] = row.change();
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace

double ComparedRow::change() const {
  return values.empty() ? 0 : values.back().value_or(0) - values.front().value_or(0);
}

bool Comparison::same() const {
  return configuration.empty() && totals.empty() && buckets.empty() && resources.empty() && layers.empty();
}

ReadReport read_report(const std::string& file, const std::string& text) {
  const base::Location where{file, 0, 0};
  ReadReport report{file, Json::parse(text, nullptr, false)};
  const Json& json = report.json;
  if (json.is_discarded()) throw base::UserError(where, "is no JSON");
  const auto is_report = [&json] {
    for (const char* key : {"config", "network", "total"})
      if (!json.contains(key) || !json[key].is_object()) return false;
    for (const char* key : {"config", "network"})
      if (!json[key].contains("name") || !json[key]["name"].is_string()) return false;
    if (!json.contains("layers") || !json["layers"].is_array()) return false;
    return std::all_of(json["layers"].begin(), json["layers"].end(), [](const Json& layer) {
      return layer.is_object() && layer.contains("name") && layer["name"].is_string() && layer.contains("cycles") &&
             layer["cycles"].is_number();
    });
  };
  if (!json.is_object() || !is_report()) throw base::UserError(where, "is no report that 'run --json' wrote");
  if (json.value("schema", Json()) != kSchema)
    throw base::UserError(
        where, fmt::format("has schema {}; this program reads {}", json.value("schema", Json()).dump(), kSchema));
  return report;
}

Comparison compare(const std::vector<ReadReport>& reports) {
  Comparison result;
  for (const ReadReport& report : reports) {
    result.files.push_back(report.file);
    result.designs.push_back(fmt::format("{} on {}", report.json["network"]["name"].get<std::string>(),
                                         report.json["config"]["name"].get<std::string>()));
    result.timing.push_back(timing_mark(report.json));
  }
  result.configuration = compared(reports, [](const Json& json, Figures& figures) {
    const Json& config = json["config"];
    figures.emplace_back("network", json["network"]["name"]);
    if (config.contains("resolved")) flatten(config["resolved"], "", figures);
  });
  result.totals = compared(reports, [](const Json& json, Figures& figures) {
    for (const auto& [key, value] : json["total"].items())
      if (value.is_number()) figures.emplace_back(key, value);
    for (const char* key : {"pictures", "frames_per_s", "energy_mj", "power_w", "fmax_hz"})
      if (json.contains(key)) figures.emplace_back(key, json[key]);
    if (const std::string verdict = verdict_of(json); !verdict.empty()) figures.emplace_back("timing", verdict);
  });
  result.buckets = compared(reports, [](const Json& json, Figures& figures) {
    if (json["total"].contains("buckets")) flatten(json["total"]["buckets"], "", figures);
  });
  result.resources = compared(reports, [](const Json& json, Figures& figures) {
    if (json.contains("resources")) flatten(json["resources"], "", figures);
  });
  result.layers = compared(reports, [](const Json& json, Figures& figures) {
    for (const Json& layer : json["layers"]) figures.emplace_back(layer["name"], layer["cycles"]);
  });
  largest_first(result.buckets);
  largest_first(result.layers);
  return result;
}

std::string text(const Comparison& comparison) {
  std::string out;
  for (std::size_t i = 0; i < comparison.files.size(); ++i)
    out += fmt::format("{}: {}, {}{}{}\n", static_cast<char>('A' + i % 26), comparison.designs[i], comparison.files[i],
                       comparison.timing[i].empty() ? "" : "; ", comparison.timing[i]);
  if (comparison.same()) return out + "nothing differs\n";
  add(out, "configuration", comparison.configuration, comparison);
  add(out, "total", comparison.totals, comparison);
  add(out, "cycles by bucket", comparison.buckets, comparison);
  add(out, "resources", comparison.resources, comparison);
  add(out, "cycles by layer", comparison.layers, comparison);
  return out;
}

std::string json(const Comparison& comparison, const Json& gated) {
  Json json{{"schema", kSchema}, {"files", comparison.files}, {"designs", comparison.designs}};
  json["timing"] = comparison.timing;
  json["configuration"] = json_of(comparison.configuration);
  json["total"] = json_of(comparison.totals);
  json["buckets"] = json_of(comparison.buckets);
  json["resources"] = json_of(comparison.resources);
  json["layers"] = json_of(comparison.layers);
  if (!gated.empty()) json["gated"] = gated;
  return json.dump(2) + "\n";
}

}  // namespace fansim::report

// SPDX-License-Identifier: Apache-2.0
#include "report/exploration.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/csv_field.h"
#include "report/table.h"

namespace fansim::report {
namespace {

using Json = nlohmann::ordered_json;

std::string short_number(double value) { return fmt::format("{:.6g}", value); }

// Writes a count: exactly up to 10^15 if it is short, as a power of ten if it is long.
std::string count_text(double value) {
  constexpr double kLong = 1e9;
  return value < kLong ? grouped(static_cast<std::int64_t>(value)) : fmt::format("{:.3g}", value);
}

std::string parameters_of(const Exploration::Point& point) {
  std::string text;
  for (const auto& [name, value] : point.parameters) text += (text.empty() ? "" : " ") + name + "=" + value;
  return text;
}

std::string standing(const Exploration& e) {
  if (e.stopped) return "interrupted: of the points seen";
  if (!e.proven) return "not proven";
  return e.tolerance_percent > 0 ? fmt::format("proven within {:.6g} %", e.tolerance_percent) : "proven";
}

std::string answer(const Exploration& e) {
  const std::string where = fmt::format("{} over {} ({})", e.network.name, e.space, e.method);
  if (e.front.empty()) return fmt::format("{}: no point meets the constraints, {}\n", where, standing(e));
  if (e.objectives.size() > 1)
    return fmt::format("{}: {} points on the front, {}\n", where, e.front.size(), standing(e));
  return fmt::format("{}: {} {} at {}, {}\n", where, e.objectives[0],
                     short_number(e.metric(e.front[0], e.objectives[0])), parameters_of(e.front[0]), standing(e));
}

// Says how many points of the front miss their clock, or of how many that cannot be told.
std::string timing(const Exploration& e) {
  using estimate::TimingVerdict;
  const auto of = [&](TimingVerdict verdict) {
    return std::count_if(e.front.begin(), e.front.end(),
                         [&](const auto& point) { return point.timing && point.timing->verdict() == verdict; });
  };
  const auto unsure = of(TimingVerdict::cannot_tell), missed = of(TimingVerdict::does_not_fit);
  if (unsure + missed == 0) return "";
  if (e.front.size() == 1) return (missed > 0 ? "slack allowed: " : "") + e.front[0].timing->text() + "\n";
  std::string text;
  if (missed > 0) text += fmt::format("slack allowed: the clock of {} points is above their Fmax\n", missed);
  if (unsure > 0)
    text += fmt::format("cannot tell of {} points whether they meet their clock: it is within Fmax's spread\n", unsure);
  return text;
}

std::string counts(const Exploration& e) {
  return fmt::format(
      "raw points                {}\n"
      "after least_waste_of      {}\n"
      "pruned: break constraints {}\n"
      "pruned: cannot be better  {}\n"
      "evaluated                 {}: {} feasible, {} not, {} misfits, {} failed; {} from the store\n"
      "layers simulated          {}\n",
      count_text(e.raw_points), count_text(e.points), count_text(e.cannot_meet), count_text(e.cannot_win),
      count_text(static_cast<double>(e.evaluated)), e.feasible, e.infeasible, e.misfits, e.failures.size(),
      e.from_store, e.layers_simulated);
}

std::string refused(const Exploration& e) {
  constexpr std::size_t kShown = 8;
  std::string text;
  for (const Exploration::Refused& one : e.refused) {
    std::string values;
    for (std::size_t i = 0; i < std::min(one.values.size(), kShown); ++i) values += (i > 0 ? ", " : "") + one.values[i];
    if (one.values.size() > kShown) values += fmt::format(" and {} more", one.values.size() - kShown);
    text += fmt::format("refused values            {}: {}: {}\n", one.parameter, values, one.reason);
  }
  return text;
}

// Returns the objectives first, then the metrics that most users look for.
std::vector<std::string> shown_metrics(const Exploration& e) {
  std::vector<std::string> shown = e.objectives;
  for (const char* name : {"latency_ms", "gops", "dsp", "lut", "bram36", "bandwidth_gb_per_s", "power_w"})
    if (std::find(shown.begin(), shown.end(), name) == shown.end()) shown.emplace_back(name);
  return shown;
}

std::string front_table(const Exploration& e) {
  if (e.front.empty()) return "";
  Table table(0);
  std::vector<std::string> head{"point"};
  for (const auto& parameter : e.front[0].parameters) head.push_back(parameter.first);
  const std::vector<std::string> shown = shown_metrics(e);
  head.insert(head.end(), shown.begin(), shown.end());
  head.emplace_back("timing");
  table.row(head);
  table.rule();
  for (std::size_t i = 0; i < e.front.size(); ++i) {
    std::vector<std::string> cells{std::to_string(i + 1)};
    for (const auto& parameter : e.front[i].parameters) cells.push_back(parameter.second);
    for (const std::string& name : shown) cells.push_back(short_number(e.metric(e.front[i], name)));
    cells.emplace_back(e.front[i].timing ? words(e.front[i].timing->verdict()) : "");
    table.row(cells);
  }
  std::string text = "\n" + table.text() + "\nreproduce a point:\n";
  for (std::size_t i = 0; i < e.front.size(); ++i) text += fmt::format("{:>4}  {}\n", i + 1, e.front[i].command);
  return text;
}

std::string failures(const Exploration& e) {
  std::string text;
  for (const Exploration::Failure& failure : e.failures)
    text += fmt::format("lost: {}: {}\n", failure.point, failure.reason);
  return text;
}

// Converts a number or a truth value to JSON of that type, and any other text to a string.
Json scalar_json(const std::string& text) {
  const Json parsed = Json::parse(text, nullptr, false);
  return parsed.is_number() || parsed.is_boolean() ? parsed : Json(text);
}

Json point_json(const Exploration& e, const Exploration::Point& point) {
  Json json;
  for (const auto& [name, value] : point.parameters) json["parameters"][name] = scalar_json(value);
  for (std::size_t i = 0; i < point.metrics.size(); ++i) json["metrics"][e.metric_names[i]] = point.metrics[i];
  if (point.timing) json["timing"] = name(point.timing->verdict());
  json["command"] = point.command;
  return json;
}

Json neighbour_json(const Exploration& e, const Exploration::Neighbour& neighbour) {
  Json json{{"beside", neighbour.member}, {"parameter", neighbour.parameter}, {"reasons", neighbour.reasons}};
  json.update(point_json(e, neighbour.point));
  return json;
}

}  // namespace

double Exploration::metric(const Point& point, const std::string& name) const {
  const auto found = std::find(metric_names.begin(), metric_names.end(), name);
  return point.metrics.at(static_cast<std::size_t>(found - metric_names.begin()));
}

std::string text(const Exploration& e) {
  return answer(e) + timing(e) + "\n" + counts(e) + refused(e) + front_table(e) + failures(e);
}

std::string csv(const Exploration& e) {
  std::string out;
  if (!e.front.empty())
    for (const auto& parameter : e.front[0].parameters) out += csv_field(parameter.first) + ",";
  for (const std::string& name : e.metric_names) out += name + ",";
  out += "timing,command\n";
  for (const Exploration::Point& point : e.front) {
    for (const auto& parameter : point.parameters) out += csv_field(parameter.second) + ",";
    for (const double value : point.metrics) out += fmt::format("{},", value);
    out += fmt::format("{},", point.timing ? name(point.timing->verdict()) : "");
    out += csv_field(point.command) + "\n";
  }
  return out;
}

std::string json(const Exploration& e) {
  Json json;
  json["schema"] = 1;
  json["tool"] = {{"name", "fansim"}, {"version", e.tool.version}, {"command", e.tool.command}};
  json["space"] = e.space;
  json["config"] = {{"name", e.config.name}, {"hash", e.config.hash}};
  json["network"] = {{"name", e.network.name}, {"hash", e.network.hash}};
  json["device"] = e.device;
  json["method"] = e.method;
  json["seed"] = e.seed;
  json["proven"] = e.proven;
  json["tolerance_percent"] = e.tolerance_percent;
  json["interrupted"] = e.stopped;
  json["slack_allowed"] = e.allow_slack;
  json["objectives"] = e.objectives;
  json["counts"] = {{"raw", e.raw_points},
                    {"points", e.points},
                    {"cannot_meet", e.cannot_meet},
                    {"cannot_win", e.cannot_win},
                    {"evaluated", e.evaluated},
                    {"feasible", e.feasible},
                    {"infeasible", e.infeasible},
                    {"misfits", e.misfits},
                    {"failed", e.failures.size()},
                    {"from_store", e.from_store},
                    {"layers_simulated", e.layers_simulated}};
  json["front"] = Json::array();
  for (const Exploration::Point& point : e.front) json["front"].push_back(point_json(e, point));
  if (e.neighbours) {
    json["neighbours"] = Json::array();
    for (const Exploration::Neighbour& one : *e.neighbours) json["neighbours"].push_back(neighbour_json(e, one));
    json["neighbours_not_looked_at"] = e.unknown_neighbours;
  }
  json["refused"] = Json::array();
  for (const Exploration::Refused& one : e.refused)
    json["refused"].push_back({{"parameter", one.parameter}, {"values", one.values}, {"reason", one.reason}});
  json["failures"] = Json::array();
  for (const Exploration::Failure& failure : e.failures)
    json["failures"].push_back({{"point", failure.point}, {"reason", failure.reason}});
  return json.dump(2) + "\n";
}

}  // namespace fansim::report

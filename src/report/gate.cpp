// SPDX-License-Identifier: Apache-2.0
#include "report/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "base/error.h"
#include "report/table.h"

namespace fansim::report {
namespace {

using Json = nlohmann::ordered_json;

bool more_is_better(const std::string& figure) {
  constexpr const char* kMore[] = {"gops", "mac_utilisation", "frames_per_s", "fmax_hz"};
  return std::find(std::begin(kMore), std::end(kMore), figure) != std::end(kMore);
}

// Visits every figure that a gate may name.
template <class Visit>
void each_figure(const Json& report, Visit&& visit) {
  for (const auto& [key, value] : report["total"].items())
    if (value.is_number()) visit(key, value.template get<double>());
  for (const char* key : {"frames_per_s", "energy_mj", "power_w", "fmax_hz"})
    if (report.contains(key) && report[key].is_number()) visit(key, report[key].template get<double>());
  const Json resources = report.value("resources", Json::object());
  if (!resources.is_object()) return;
  for (const auto& [key, value] : resources.items())
    if (value.is_number()) visit(key, value.template get<double>());
}

double figure_of(const ReadReport& report, const std::string& figure) {
  std::vector<std::string> names{Gate::kLayerCycles};
  std::optional<double> found;
  each_figure(report.json, [&](const std::string& name, double value) {
    names.push_back(name);
    if (name == figure) found = value;
  });
  if (!found)
    throw base::UserError({report.file, 0, 0},
                          fmt::format("has no figure '{}'{}", figure, base::did_you_mean(figure, names)));
  return *found;
}

std::string network_of(const ReadReport& report) { return report.json["network"]["name"].get<std::string>(); }

Gated judged(const Gate& gate, const std::string& file, const std::string& figure, double first, double value) {
  const double worse = more_is_better(gate.figure) ? first - value : value - first;
  const double allowed = gate.percent ? gate.limit / 100 * std::abs(first) : gate.limit;
  return {file, figure, first, value, gate, worse > allowed};
}

void judge_layers(const Gate& gate, const ReadReport& first, const ReadReport& other, std::vector<Gated>& all) {
  for (const Json& layer : other.json["layers"])
    for (const Json& before : first.json["layers"])
      if (layer["name"] == before["name"])
        all.push_back(judged(gate, other.file, layer["name"].get<std::string>() + ": cycles",
                             before["cycles"].get<double>(), layer["cycles"].get<double>()));
}

std::string number(double value) {
  return value == std::floor(value) && std::abs(value) < 1e15 ? grouped(static_cast<std::int64_t>(value))
                                                              : fmt::format("{:.6g}", value);
}

std::string limit_of(const Gated& one) {
  const char* sign = more_is_better(one.gate.figure) ? "-" : "+";
  return fmt::format("{}{:.15g}{}", one.gate.limit == 0 ? "" : sign, one.gate.limit, one.gate.percent ? " %" : "");
}

}  // namespace

Gate parse_gate(const std::string& text) {
  const std::size_t equals = text.find('=');
  Gate gate{equals == std::string::npos ? "cycles" : text.substr(0, equals), 0, false};
  std::string limit = equals == std::string::npos ? text : text.substr(equals + 1);
  if (!limit.empty() && limit.back() == '%') {
    gate.percent = true;
    limit.pop_back();
  }
  const char* end = limit.data() + limit.size();
  const auto [rest, error] = std::from_chars(limit.data(), end, gate.limit);
  if (error != std::errc() || rest != end || !std::isfinite(gate.limit) || std::signbit(gate.limit) ||
      gate.figure.empty() || (equals == std::string::npos && !gate.percent))
    throw base::UserError(fmt::format(
        "compare: --fail-above: expected FIGURE=LIMIT or FIGURE=LIMIT%, as in cycles=1%, found '{}'", text));
  return gate;
}

std::vector<Gated> judge(const std::vector<ReadReport>& reports, const std::vector<Gate>& gates) {
  std::vector<Gated> all;
  const ReadReport& first = reports.front();
  for (auto other = reports.begin() + 1; other != reports.end() && !gates.empty(); ++other) {
    if (network_of(*other) != network_of(first))
      throw base::UserError({other->file, 0, 0}, fmt::format("is of the network '{}', not of '{}' as {}: "
                                                             "--fail-above compares runs of one network",
                                                             network_of(*other), network_of(first), first.file));
    for (const Gate& gate : gates) {
      if (gate.figure == Gate::kLayerCycles)
        judge_layers(gate, first, *other, all);
      else
        all.push_back(
            judged(gate, other->file, gate.figure, figure_of(first, gate.figure), figure_of(*other, gate.figure)));
    }
  }
  return all;
}

std::string text(const std::vector<Gated>& all) {
  std::string text;
  for (const Gated& one : all) {
    if (!one.failed) continue;
    const std::string by =
        one.first != 0 ? fmt::format(", {:+.3g} %", 100 * (one.value - one.first) / std::abs(one.first)) : "";
    text += fmt::format("{}: {} {} for {}{}; allowed: {}\n", one.file, one.figure, number(one.value), number(one.first),
                        by, limit_of(one));
  }
  return text;
}

Json json(const std::vector<Gated>& all) {
  Json rows = Json::array();
  for (const Gated& one : all)
    rows.push_back({{"file", one.file},
                    {"figure", one.figure},
                    {"first", one.first},
                    {"value", one.value},
                    {"limit", one.gate.limit},
                    {"percent", one.gate.percent},
                    {"failed", one.failed}});
  return rows;
}

}  // namespace fansim::report

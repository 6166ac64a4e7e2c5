// SPDX-License-Identifier: Apache-2.0
#include "report/reproduction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/table.h"

namespace fansim::report {
namespace {

std::string value_text(const std::optional<double>& value) {
  if (!value) return "-";
  if (std::abs(*value) >= 1000 && *value == std::floor(*value)) return grouped(static_cast<std::int64_t>(*value));
  return fmt::format("{:.4g}", *value);
}

nlohmann::ordered_json or_null(const std::optional<double>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

}  // namespace

const char* name(Status status) {
  constexpr const char* kNames[] = {"exact", "within", "outside", "lost", "info"};
  return kNames[static_cast<int>(status)];
}

const char* name(Claim claim) {
  constexpr const char* kNames[] = {"published", "derived", "sets a parameter", "fitted"};
  return kNames[static_cast<int>(claim)];
}

std::optional<double> Row::error_percent() const {
  if (!published || !simulated || *published == 0) return std::nullopt;
  return 100 * (*simulated - *published) / *published;
}

Status Row::status() const {
  if (!published) return tolerance_percent ? Status::lost : Status::info;
  if (!simulated || !tolerance_percent) return Status::info;
  if (*simulated == *published) return Status::exact;
  const std::optional<double> error = error_percent();
  return error && std::abs(*error) <= *tolerance_percent ? Status::within : Status::outside;
}

bool any_outside(const std::vector<Row>& rows) {
  return std::any_of(rows.begin(), rows.end(), [](const Row& row) { return row.status() == Status::outside; });
}

std::string text(const std::vector<Row>& rows) {
  Table table(3);
  table.row({"paper", "quantity", "unit", "published", "simulated", "error %", "tolerance %", "claim", "status"});
  table.rule();
  for (const Row& row : rows) {
    const auto error = row.error_percent();
    table.row({row.paper, row.quantity, row.unit, value_text(row.published), value_text(row.simulated),
               error ? fmt::format("{:+.1f}", *error) : "",
               row.tolerance_percent ? value_text(row.tolerance_percent) : "",
               row.published ? name(row.source.claim) : "", name(row.status())});
  }
  return table.text() + "\n" + headline(rows);
}

std::string headline(const std::vector<Row>& rows) {
  const auto count = [&](Claim claim, bool agrees) {
    return std::count_if(rows.begin(), rows.end(), [&](const Row& row) {
      const Status status = row.status();
      const bool judged = status == Status::exact || status == Status::within || status == Status::outside;
      return judged && row.source.claim == claim && (!agrees || status != Status::outside);
    });
  };
  std::string text = fmt::format("{} of {} judged figures that nothing was chosen for agree",
                                 count(Claim::published, true), count(Claim::published, false));
  for (const Claim claim : {Claim::derived, Claim::sets_parameter, Claim::fitted})
    text += fmt::format("; {}: {} of {}", name(claim), count(claim, true), count(claim, false));
  return text + "\n";
}

std::string json(const std::vector<Row>& rows) {
  nlohmann::ordered_json out;
  const std::string judged = headline(rows);
  out["schema"] = 1;
  out["headline"] = judged.substr(0, judged.size() - 1);
  out["rows"] = nlohmann::ordered_json::array();
  for (const Row& row : rows) {
    nlohmann::ordered_json entry;
    entry["paper"] = row.paper;
    entry["quantity"] = row.quantity;
    entry["unit"] = row.unit;
    entry["published"] = or_null(row.published);
    entry["simulated"] = or_null(row.simulated);
    entry["error_percent"] = or_null(row.error_percent());
    entry["tolerance_percent"] = or_null(row.tolerance_percent);
    entry["status"] = name(row.status());
    entry["claim"] = row.published ? nlohmann::ordered_json(name(row.source.claim)) : nlohmann::ordered_json(nullptr);
    entry["source"] = row.source.text;
    out["rows"].push_back(std::move(entry));
  }
  return out.dump(2) + "\n";
}

std::string text(const std::vector<Turn>& turns) {
  Table table(4);
  table.row({"paper", "quantity", "unit", "with", "published", "simulated", "change %"});
  table.rule();
  for (const Turn& turn : turns)
    table.row({turn.paper, turn.quantity, turn.unit, turn.setting.empty() ? "as shipped" : turn.setting,
               value_text(turn.published), value_text(turn.simulated),
               turn.setting.empty() ? "" : fmt::format("{:+.1f}", turn.change_percent)});
  return table.text();
}

std::string json(const std::vector<Turn>& turns) {
  nlohmann::ordered_json out;
  out["turns"] = nlohmann::ordered_json::array();
  for (const Turn& turn : turns)
    out["turns"].push_back({{"paper", turn.paper},
                            {"quantity", turn.quantity},
                            {"unit", turn.unit},
                            {"published", turn.published},
                            {"setting", turn.setting},
                            {"simulated", turn.simulated},
                            {"change_percent", turn.change_percent}});
  return out.dump(2) + "\n";
}

}  // namespace fansim::report

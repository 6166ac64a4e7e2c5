// SPDX-License-Identifier: Apache-2.0
#include "cli/explore/explore_report.h"

#include <algorithm>

#include "accelerators/registry.h"
#include "base/text.h"

namespace fansim::cli {
namespace {

void add(Settings& settings, const contract::ResolvedConfig::Block& block, const std::string& prefix) {
  for (const auto& value : block.values) settings[prefix + value.key] = value.text;
  for (const auto& inner : block.blocks) add(settings, inner, prefix + inner.key + ".");
}

report::Exploration::Point point_of(const explore::Space& space, const Settings& said, const std::string& network,
                                    const explore::Scored& scored) {
  report::Exploration::Point point;
  for (std::size_t i = 0; i < scored.point.size(); ++i)
    point.parameters.emplace_back(space.parameters[i].path,
                                  space.parameters[i].values[static_cast<std::size_t>(scored.point[i])].text);
  point.metrics.assign(scored.outcome.metrics.begin(), scored.outcome.metrics.end());
  point.command = run_command(space, said, scored.point, network);
  return point;
}

estimate::Timing timing_of(const explore::Space& space, const explore::Point& point) {
  const auto accelerator = accelerators::read_accelerator(space.config, space.overrides(point));
  return estimate::timing(accelerator->config().clock_hz(), accelerator->estimate().fmax);
}

}  // namespace

Settings settings_of(const contract::ResolvedConfig& config) {
  Settings settings;
  add(settings, config.top, "");
  return settings;
}

std::string run_command(const explore::Space& space, const Settings& said, const explore::Point& point,
                        const std::string& network) {
  std::string command =
      "fansim run " + base::shell_word(space.config) + " " + base::shell_word(network) + " --timing-only";
  const std::vector<std::string> settings = space.overrides(point);
  const auto key = [](const std::string& setting) { return setting.substr(0, setting.find('=')); };
  for (auto setting = settings.begin(); setting != settings.end(); ++setting) {
    // If a key is set several times, the last setting holds.
    if (std::any_of(setting + 1, settings.end(), [&](const auto& later) { return key(later) == key(*setting); }))
      continue;
    const auto known = said.find(key(*setting));
    if (known == said.end() || key(*setting) + "=" + known->second != *setting)
      command += " --set " + base::shell_word(*setting);
  }
  return command;
}

std::vector<report::Exploration::Refused> rows_of(const std::vector<accelerators::RefusedValue>& refused) {
  std::vector<report::Exploration::Refused> rows;
  for (const accelerators::RefusedValue& one : refused) {
    if (rows.empty() || rows.back().parameter != one.parameter) rows.push_back({one.parameter, {}, one.reason});
    rows.back().values.push_back(one.value);
  }
  return rows;
}

report::Exploration exploration_of(const explore::Space& space, const Settings& said, const std::string& network,
                                   const explore::SearchResult& result) {
  report::Exploration e;
  e.space = space.name;
  e.method = name(space.search.method);
  e.proven = result.proven;
  e.stopped = result.stopped;
  if (space.search.method == explore::Method::branch_and_bound) e.tolerance_percent = space.search.tolerance_percent;
  e.metric_names = explore::metric_names();
  for (const explore::Objective& objective : space.objectives) e.objectives.emplace_back(row(objective.metric).name);
  const explore::Counts& counts = result.counts;
  e.raw_points = counts.raw;
  e.points = counts.space;
  e.cannot_meet = counts.cannot_meet;
  e.cannot_win = counts.cannot_win;
  e.evaluated = counts.evaluated;
  e.from_store = counts.from_store;
  e.feasible = counts.feasible;
  e.infeasible = counts.infeasible;
  e.misfits = counts.misfit;
  e.allow_slack = space.allow_slack;
  for (const explore::Scored& scored : result.front) {
    e.front.push_back(point_of(space, said, network, scored));
    e.front.back().timing = timing_of(space, scored.point);
    if (e.front.back().timing->missed()) e.front.back().command += " --allow-slack";
  }
  for (const explore::Scored& scored : result.failures)
    e.failures.push_back({space.text(scored.point), base::printable(scored.outcome.reason)});
  return e;
}

void add_neighbours(const explore::Space& space, const Settings& said, const std::string& network,
                    const explore::Neighbours& neighbours, report::Exploration& exploration) {
  exploration.neighbours.emplace();
  exploration.unknown_neighbours = neighbours.unknown;
  for (const explore::Neighbour& one : neighbours.excluded) {
    report::Exploration::Neighbour row{one.member, space.parameters[one.parameter].path,
                                       point_of(space, said, network, one.scored), one.reasons};
    if (one.scored.outcome.kind != explore::Outcome::Kind::scored) row.point.metrics.clear();
    for (std::string& reason : row.reasons) reason = base::printable(reason);
    exploration.neighbours->push_back(std::move(row));
  }
}

}  // namespace fansim::cli

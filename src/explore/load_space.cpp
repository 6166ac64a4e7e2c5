// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/fields.h"
#include "base/file.h"
#include "explore/space.h"

namespace fansim::explore {
namespace {

using base::YamlEntry;
using base::YamlMap;
using base::YamlNode;

// The constraint `fits` is short for this.
constexpr const char* kFits =
    "dsp_percent <= 100 and lut_percent <= 100 and ff_percent <= 100 and bram36_percent <= 100 and "
    "lutram_percent <= 100 and uram_percent <= 100";

const YamlNode& map_at(YamlMap& top, const char* key) {
  const YamlNode& node = top.at(key);
  if (node.kind != YamlNode::Kind::map) top.fail(key, fmt::format("{}: expected a map, found {}", key, node.found()));
  return node;
}

const std::string& scalar(const YamlNode& node, const std::string& what) {
  if (node.kind != YamlNode::Kind::scalar)
    throw base::UserError(node.where, fmt::format("{}: expected a value, found {}", what, node.found()));
  return node.scalar;
}

void read_parameters(Space& space, YamlMap& top) {
  constexpr std::size_t kMostValues = std::size_t{1} << 20;  // every value is held in memory, with its text
  std::size_t values = 0;
  for (const YamlEntry& entry : map_at(top, "parameters").entries) {
    space.parameters.push_back(read_parameter(entry.key, entry.value));
    space.parameters.back().where = entry.where;
    values += space.parameters.back().values.size();
    if (values > kMostValues)
      throw base::UserError(
          entry.where, fmt::format("{}: more than {} values of all parameters up to here", entry.key, kMostValues));
  }
  if (space.parameters.empty()) top.fail("parameters", "parameters: the space is empty");
}

void refuse_twice(const Space& space, const std::string& path, const base::Location& where) {
  const bool known =
      std::any_of(space.parameters.begin(), space.parameters.end(), [&](const Parameter& p) { return p.path == path; });
  if (known) throw base::UserError(where, fmt::format("{}: is a parameter too", path));
}

void read_set(Space& space, YamlMap& top) {
  if (!top.has("set")) return;
  for (const YamlEntry& entry : map_at(top, "set").entries) {
    refuse_twice(space, entry.key, entry.where);
    space.set.push_back(entry.key + "=" + scalar(entry.value, entry.key));
  }
}

void read_derived(Space& space, YamlMap& top) {
  if (!top.has("derived")) return;
  // Derived keys may name parameters only, no metrics.
  const Names all = space.names(), names(all.begin() + kMetrics, all.end());
  for (const YamlEntry& entry : map_at(top, "derived").entries) {
    refuse_twice(space, entry.key, entry.where);
    const std::string& text = scalar(entry.value, entry.key);
    space.derived.push_back({entry.key, parse_expression(text, names, entry.value.where, entry.key), entry.where});
  }
}

void read_constraints(Space& space, YamlMap& top) {
  if (!top.has("constraints")) return;
  const Names names = space.names();
  const YamlNode& list = top.at("constraints");
  if (list.kind != YamlNode::Kind::list)
    top.fail("constraints", fmt::format("constraints: expected a list, found {}", list.found()));
  for (const YamlNode& item : list.items) {
    const std::string& text = scalar(item, "constraints");
    Expression expression = parse_expression(text == "fits" ? kFits : text, names, item.where, "constraint");
    space.constraints.push_back({std::move(expression), item.where});
  }
}

Objective objective(const std::string& word, const base::Location& where) {
  const std::vector<std::string> names = metric_names();
  const auto found = std::find(names.begin(), names.end(), word);
  if (found == names.end())
    throw base::UserError(where, fmt::format("objective '{}' is no metric{}", word, hint(word, names)));
  const auto metric = static_cast<Metric>(found - names.begin());
  return {metric, row(metric).more_is_better};
}

void read_objectives(Space& space, YamlMap& top) {
  const YamlNode& list = top.at("objectives");
  if (list.kind != YamlNode::Kind::list || list.items.empty())
    top.fail("objectives", fmt::format("objectives: expected a list of metrics, found {}", list.found()));
  for (const YamlNode& item : list.items) {
    space.objectives.push_back(objective(scalar(item, "objectives"), item.where));
    const Metric last = space.objectives.back().metric;
    const auto same = [&](const Objective& o) { return o.metric == last; };
    if (std::count_if(space.objectives.begin(), space.objectives.end(), same) > 1)
      throw base::UserError(item.where, fmt::format("objective '{}' twice", item.scalar));
  }
}

void read_search(Space& space, YamlMap& top) {
  if (!top.has("search")) return;
  YamlMap map = top.child("search");
  base::read_fields(map, space.search);
  map.finish();
  if (space.search.population % 2 != 0)
    map.fail("population", fmt::format("population {} must be even", space.search.population));
}

}  // namespace

Space load_space(const std::string& path) {
  YamlMap top(base::load_yaml(path));
  Space space;
  top.integer("version", 1, 1);
  space.name = top.text("name");
  space.config = base::beside(path, top.text("config"));
  if (!base::exists(space.config)) top.fail("config", fmt::format("config '{}' does not exist", space.config));
  read_parameters(space, top);
  read_set(space, top);
  read_derived(space, top);
  read_constraints(space, top);
  if (top.has("allow_slack")) space.allow_slack = top.boolean("allow_slack");
  read_objectives(space, top);
  read_search(space, top);
  top.finish();
  return space;
}

void demand_timing(Space& space) {
  const auto names_both = [](const Constraint& one) {
    return one.expression.uses(static_cast<std::size_t>(Metric::fmax_mhz)) &&
           one.expression.uses(static_cast<std::size_t>(Metric::clock_mhz));
  };
  if (space.allow_slack || std::any_of(space.constraints.begin(), space.constraints.end(), names_both)) return;
  space.constraints.push_back(
      {parse_expression("fmax_mhz >= clock_mhz", space.names(), {}, "constraint"), base::Location{}});
}

}  // namespace fansim::explore

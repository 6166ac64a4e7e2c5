// SPDX-License-Identifier: Apache-2.0
#include "contract/key_range.h"

#include <fmt/format.h>

#include <algorithm>
#include <climits>

#include "base/error.h"

namespace fansim::contract {
namespace {

std::vector<base::Cost> costs_of(base::YamlMap& given, const std::string& key, const base::Rational& clock) {
  std::vector<base::Cost> costs;
  for (const base::YamlNode& item : given.at(key).items) {
    base::Cost cost;
    const std::string wrong = base::read_cost(item.scalar, cost);
    if (!wrong.empty()) given.fail(item.where, fmt::format("{} '{}': {}", key, item.scalar, wrong));
    cost.follow(clock, 0, INT_MAX);
    costs.push_back(cost);
  }
  return costs;
}

}  // namespace

void read_ranges(base::YamlMap& map, const std::string& name, const std::vector<base::FieldRow>& rows,
                 const base::Rational& clock, std::vector<KeyRange>& ranges) {
  if (!map.has("ranges")) return;
  base::YamlMap given = map.child("ranges");
  std::vector<std::string> known, timed;
  for (const base::FieldRow& row : rows) {
    if (row.type == "int" || row.type == "cost") known.push_back(row.name);
    if (row.type == "cost") timed.push_back(row.name);
  }
  for (const std::string& key : given.keys()) {
    if (std::find(known.begin(), known.end(), key) == known.end())
      given.fail(key, fmt::format("'{}' is no integer key of {}{}", key, name, base::did_you_mean(key, known)));
    std::vector<base::Cost> ends;
    if (std::find(timed.begin(), timed.end(), key) != timed.end())
      ends = costs_of(given, key, clock);
    else
      for (const int end : given.integers(key)) ends.emplace_back(end);
    if (ends.size() != 2 || ends[0] > ends[1])
      given.fail(key, fmt::format("{}: expected a range [lo, hi], lo not above hi", key));
    ranges.push_back({name + "." + key, ends[0], ends[1]});
  }
}

}  // namespace fansim::contract

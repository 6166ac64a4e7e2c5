// SPDX-License-Identifier: Apache-2.0
#include "contract/key_range.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace fansim::contract {

void read_ranges(base::YamlMap& map, const std::string& name, const std::vector<base::FieldRow>& rows,
                 std::vector<KeyRange>& ranges) {
  if (!map.has("ranges")) return;
  base::YamlMap given = map.child("ranges");
  std::vector<std::string> known;
  for (const base::FieldRow& row : rows)
    if (row.type == "int") known.push_back(row.name);
  for (const std::string& key : given.keys()) {
    if (std::find(known.begin(), known.end(), key) == known.end())
      given.fail(key, fmt::format("'{}' is no integer key of {}{}", key, name, base::did_you_mean(key, known)));
    const std::vector<int> ends = given.integers(key);
    if (ends.size() != 2 || ends[0] > ends[1])
      given.fail(key, fmt::format("{}: expected a range [lo, hi], lo not above hi", key));
    ranges.push_back({name + "." + key, ends[0], ends[1]});
  }
}

}  // namespace fansim::contract

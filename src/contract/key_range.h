// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/fields.h"
#include "base/yaml.h"

namespace fansim::contract {

// What a constant that nobody published may be, as the file says that gives it: a block's `ranges: {key: [lo, hi]}`.
struct KeyRange {
  std::string key;  // "host.interrupt"
  int lo = 0, hi = 0;
};

// Of `map`, the block `name` with these fields; nothing where it has none. UserError for what is no integer key of it.
void read_ranges(base::YamlMap& map, const std::string& name, const std::vector<base::FieldRow>& rows,
                 std::vector<KeyRange>& ranges);

}  // namespace fansim::contract

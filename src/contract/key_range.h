// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/fields.h"
#include "base/yaml.h"

namespace fansim::contract {

// The range of a constant that nobody published, from the file that gives the constant: a block's `ranges: {key: [lo,
// hi]}`.
struct KeyRange {
  std::string key;  // such as "host.interrupt"
  int lo = 0, hi = 0;
};

// Reads the ranges of the block `name`, which is `map` and has these fields. It does nothing if the block gives none.
// Throws UserError for a key that is not an integer field of the block.
void read_ranges(base::YamlMap& map, const std::string& name, const std::vector<base::FieldRow>& rows,
                 std::vector<KeyRange>& ranges);

}  // namespace fansim::contract

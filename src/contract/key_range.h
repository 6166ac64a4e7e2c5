// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/cost.h"
#include "base/fields.h"
#include "base/rational.h"
#include "base/yaml.h"

namespace fansim::contract {

// The range of a constant that nobody published, from the file that gives the constant: a block's `ranges: {key: [lo,
// hi]}`.
struct KeyRange {
  std::string key;            // such as "host.interrupt"
  base::Cost lo = 0, hi = 0;  // of a key that is no cost: plain numbers
};

// Reads the ranges of the block `name`, which is `map`, has these fields and counts costs in that clock. It does
// nothing if the block gives none. Throws UserError for a key that is neither an integer nor a cost of the block.
void read_ranges(base::YamlMap& map, const std::string& name, const std::vector<base::FieldRow>& rows,
                 const base::Rational& clock, std::vector<KeyRange>& ranges);

}  // namespace fansim::contract

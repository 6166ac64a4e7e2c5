// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "contract/result.h"
#include "contract/statistics.h"

namespace fansim::runs {

// Where the two engines' runs of a program differ in what they must agree on: every figure that they count, every
// bucket, every stage by its name. "conv2: cycle counts differ: clocked 62641, fast 62639", a line each.
std::vector<std::string> layer_differences(const contract::Account& account,
                                           const std::vector<contract::LayerResult>& clocked,
                                           const std::vector<contract::LayerResult>& fast);

}  // namespace fansim::runs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "contract/result.h"
#include "contract/statistics.h"
#include "runs/engine.h"

namespace fansim::runs {

// Returns where two engines' runs of a program differ although they must agree: every figure, every bucket, and
// every stage by its name. There is one line for each, such as "conv2: cycle counts differ: clocked 62641, fast 62639".
std::vector<std::string> layer_differences(const contract::Account& account,
                                           const std::vector<contract::LayerResult>& first,
                                           const std::vector<contract::LayerResult>& second,
                                           const EnginePair& engines = {});

}  // namespace fansim::runs

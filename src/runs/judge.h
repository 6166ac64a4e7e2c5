// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "contract/frames.h"
#include "contract/statistics.h"
#include "runs/frames.h"
#include "runs/observer.h"
#include "runs/simulate.h"

namespace fansim::runs {

// The fourth stage of a run: returns what contradicts its results, one line each. These are the outputs that differ
// from the reference executor's, as the observer found them, then what other engines computed differently, then the
// cycles of frames that the clocked engine counted differently.
std::vector<std::string> judge(const contract::Account& account, const Observer& observer,
                               const std::vector<Simulated>& simulated, const Frames& frames,
                               const contract::FrameRule& rule);

}  // namespace fansim::runs

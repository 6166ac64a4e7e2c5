// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "estimate/timing.h"

namespace fansim::report {

// Writes what a design's clock is against its Fmax, and whether the user allowed a clock that is too fast.
nlohmann::ordered_json timing_json(const estimate::Timing& timing, bool slack_allowed);

}  // namespace fansim::report

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "report/reproduction.h"

namespace fansim::papers {

// Returns published measurements of what fabric ports get of the ZCU102's DDR4, beside the banked memory model alone.
std::vector<report::Row> zcu102_ceiling();

}  // namespace fansim::papers

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "report/reproduction.h"

namespace fansim::papers {

// What fabric ports get of the ZCU102's DDR4, measured elsewhere, beside the banked memory alone.
std::vector<report::Row> zcu102_ceiling();

}  // namespace fansim::papers

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "report/reproduction.h"

namespace fansim::cli {

// The rows of one publication each.
std::vector<report::Row> reproduce_uestc();
std::vector<report::Row> reproduce_kassel();
std::vector<report::Row> reproduce_wp490();

}  // namespace fansim::cli

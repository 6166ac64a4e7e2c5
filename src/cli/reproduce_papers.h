// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "report/reproduction.h"

// One function per publication: its figures beside the simulated ones.
namespace fansim::cli {

std::vector<report::Row> reproduce_uestc();
std::vector<report::Row> reproduce_pg021();

}  // namespace fansim::cli

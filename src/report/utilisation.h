// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "estimate/calibration.h"

namespace fansim::report {

// A utilisation report beside the estimate, a row per block and resource.
std::string utilisation(const estimate::Calibration& calibration);

}  // namespace fansim::report

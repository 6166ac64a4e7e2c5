// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "estimate/calibration.h"

namespace fansim::report {

// Sets a utilisation report beside the estimate, with a row per block and resource.
std::string utilisation(const estimate::Calibration& calibration);

}  // namespace fansim::report

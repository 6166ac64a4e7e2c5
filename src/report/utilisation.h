// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "estimate/calibration.h"

namespace fansim::report {

// Sets a utilisation report beside the estimate, with a row per block and resource, and the whole design last.
std::string utilisation(const estimate::Calibration& calibration);

// Returns "DSP 1.017, LUT -, ...": a factor for each resource, or none.
std::string factors(const estimate::Calibration& calibration);

// Returns "LUT 3000 of 12700 (23.6 %), ...": what the matched instances take of the report's design.
std::string matched_share(const estimate::Calibration& calibration);

}  // namespace fansim::report

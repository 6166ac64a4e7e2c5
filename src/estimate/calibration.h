// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "contract/device.h"
#include "estimate/estimate.h"
#include "estimate/utilisation.h"

namespace fansim::estimate {

// Holds a block of the configuration and the instances in a report that build it.
struct Match {
  std::string block;
  std::vector<std::string> modules;
  contract::Resources estimated, reported;
};

using Scale = contract::ResourceScale;

struct Calibration {
  std::vector<Match> matches;        // one named "whole design" if the report has no hierarchy
  std::vector<std::string> missing;  // blocks that use resources but match no instance
  // These factors make the sum of the matched estimates equal to the report's; a factor is 1 where the estimate is
  // zero.
  Scale scale;
};

// Returns the text of the device's file with these scales multiplied into those that it has; `device:` accepts it.
// Throws UserError if a scale is beyond what such a file accepts.
std::string calibrated_device(const contract::Device& device, const Scale& scale, const std::string& report);

// Matches instances by name. An instance builds the block whose name occurs in its module's name or in its own, without
// regard to case and underscores; everything below the instance belongs to it. Throws UserError if the report is of
// another part than the configuration's device, or if no instance matches.
Calibration calibrate(const contract::Device& device, const Estimate& estimate, const Utilisation& report);

}  // namespace fansim::estimate

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "contract/device.h"
#include "estimate/estimate.h"
#include "estimate/utilisation.h"

namespace fansim::estimate {

// A block of the configuration beside the instances of a report that build it.
struct Match {
  std::string block;
  std::vector<std::string> modules;
  contract::Resources estimated, reported;
};

using Scale = contract::ResourceScale;

struct Calibration {
  std::vector<Match> matches;        // one named "whole design" if the report has no hierarchy
  std::vector<std::string> missing;  // blocks that use something and that no instance matches
  // What makes the sum of the matched estimates equal to the report's; 1 where the estimate is zero.
  Scale scale;
};

// The device's file with the scales beside those that it has already: what `device:` takes. UserError at a scale that
// no estimate is off by.
std::string calibrated_device(const contract::Device& device, const Scale& scale, const std::string& report);

// Matches by name: an instance builds the block whose name its own or its module's contains, read without case and
// underscores; what is below it belongs to it. UserError: the report is of another part than the configuration's
// device, or no instance matches.
Calibration calibrate(const contract::Device& device, const Estimate& estimate, const Utilisation& report);

}  // namespace fansim::estimate

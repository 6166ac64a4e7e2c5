// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "contract/device.h"
#include "estimate/block_names.h"
#include "estimate/estimate.h"
#include "estimate/utilisation.h"

namespace fansim::estimate {

// Holds a block of the configuration and the instances in a report that build it.
struct Match {
  std::string block;
  std::vector<std::string> instances;
  contract::Resources estimated, reported;
};

// Factors on an estimate, one for each kind of resource; none: nothing that was matched tells it.
struct Factors {
  std::optional<double> dsp, lut, ff, bram36;

  bool any() const { return dsp || lut || ff || bram36; }
};

struct Calibration {
  std::vector<Match> matches;        // by block; none if the report has no hierarchy
  Match whole;                       // the whole design
  std::vector<std::string> missing;  // blocks that use resources but match no instance
  contract::Resources matched;       // what the report's matched instances take
  // These factors make the sum of the matched estimates equal to the report's. The whole design is matched if the
  // report has no hierarchy. There is none for a resource of which either has nothing.
  Factors factors;
};

// Returns the text of the device's file with these factors multiplied into the scales that it has; `device:` accepts
// it. A scale without a factor stays. Throws UserError if a scale is beyond what such a file accepts.
std::string calibrated_device(const contract::Device& device, const Factors& factors, const std::string& report);

// Matches instances by name. A mapped instance builds its block. Of the others, an instance builds the block whose name
// its module's name or its own is, but for an index and for case and underscores; everything below the instance belongs
// to it, unless that holds two other blocks or more, which are then matched by themselves. Throws UserError if the
// report is of another part than the configuration's device, or if a mapping names no instance.
Calibration calibrate(const contract::Device& device, const Estimate& estimate, const Utilisation& report,
                      const std::vector<BlockMapping>& mappings);

}  // namespace fansim::estimate

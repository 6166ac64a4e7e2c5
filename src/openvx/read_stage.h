// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/yaml.h"
#include "openvx/stage.h"

namespace fansim::openvx {

// A stage as a pipeline's file states it. `wide_result` asks for a result of 16 bits if the function has the choice.
struct StageEntry {
  Stage stage;
  bool wide_result = false;
};

// Reads what a stage's map says of its function. The caller reads the keys of its name and inputs.
StageEntry read_stage(base::YamlMap& map);

// Named coefficients for `convolution`.
struct Preset {
  const char* name;
  int kernel;
  std::vector<int> weights;  // in the order in which they lie over the window
  int divisor;
};
const std::vector<Preset>& presets();

}  // namespace fansim::openvx

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/yaml.h"
#include "openvx/stage.h"

namespace fansim::openvx {

// A stage as a pipeline's file states it. `wide_result`: its result is of 16 bits where the function has the choice.
struct StageEntry {
  Stage stage;
  bool wide_result = false;
};

// Reads what a stage's map says of its function; the keys of its name and inputs are the caller's.
StageEntry read_stage(base::YamlMap& map);

// The named coefficients of `convolution`.
struct Preset {
  const char* name;
  int kernel;
  std::vector<int> weights;  // as they lie over the window
  int divisor;
};
const std::vector<Preset>& presets();

}  // namespace fansim::openvx

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "contract/program.h"
#include "contract/result.h"

namespace fansim::timing {

// What a run of a whole program does beside timing it.
struct EngineOptions {
  // At each layer's end: look at the outputs in DDR, complete the result.
  std::function<void(const contract::LayerPlan&, const std::uint8_t* ddr, contract::LayerResult&)> on_layer;
  std::function<void(double fraction)> on_progress;
  std::function<bool()> stop_requested;
  bool values = true;
  bool timing = true;  // false: the results count nothing
};

}  // namespace fansim::timing

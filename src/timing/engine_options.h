// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "arch/program.h"
#include "arch/result.h"

namespace fansim::timing {

// What a run of a whole program does beside timing it.
struct EngineOptions {
  // At each layer's end: look at the outputs in DDR, complete the result.
  std::function<void(const arch::LayerPlan&, const std::uint8_t* ddr, arch::LayerResult&)> on_layer;
  std::function<void(double fraction)> on_progress;
  std::function<bool()> stop_requested;
  bool values = true;
};

}  // namespace fansim::timing

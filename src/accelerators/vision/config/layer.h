// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>

#include "contract/program.h"

namespace fansim::vision {

// Describes a layer beyond the steps of its host.
struct VisionLayer final : contract::MachineLayer {
  int units = 0;  // that the image passes one after another
};

inline const VisionLayer& layer_of(const contract::LayerPlan& plan) {
  const auto* layer = dynamic_cast<const VisionLayer*>(plan.machine.get());
  if (!layer) throw std::logic_error("vision: a layer without its units: " + plan.name);
  return *layer;
}

}  // namespace fansim::vision

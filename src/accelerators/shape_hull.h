// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "contract/device.h"
#include "contract/load_config.h"
#include "explore/model.h"
#include "explore/space.h"

namespace fansim::accelerators {

// Returns bounds for points that are at least as large as `best` in every resource and no faster, at the same clock.
// They say nothing about traffic.
explore::Bounds bounds_from(const explore::Metrics& best);

// Marks the parameters of which a box must be bounded value by value: all except those with which resources only grow,
// and numbers that affect no resource.
template <class Config>
std::vector<bool> shapes_of(const explore::Space& space, const contract::Device& device) {
  using Resources = base::Effect::Resources;
  std::vector<bool> shapes;
  for (const explore::Parameter& parameter : space.parameters) {
    const Resources role = contract::effect_of<Config>(parameter.path).resources;
    // Yosys divides memories among block RAMs in ways that need not grow with them.
    const bool grows = role == Resources::grow && device.coefficients != contract::Coefficients::yosys;
    // Times and rates are in the file's order, so their first value need not be the least.
    const bool ordered = role == Resources::none && parameter.numeric();
    shapes.push_back(!grows && !ordered);
  }
  return shapes;
}

// Bounds a box by its parts; in each part every parameter that shapes the design has one value. `part` returns the
// bounds of a part, or nothing if none of its points is possible. A box with too many parts gets no bounds, so that the
// search divides it first.
using PartBounds = std::function<std::optional<explore::Bounds>(const explore::Box&)>;
explore::Bounds shape_hull(const explore::Box& box, const std::vector<bool>& shapes, const PartBounds& part);

}  // namespace fansim::accelerators

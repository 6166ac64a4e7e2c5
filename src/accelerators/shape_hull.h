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

// What is sure of points that take no less than `best` of anything and are no faster, at its clock; of traffic nothing
// is said.
explore::Bounds bounds_from(const explore::Metrics& best);

// The parameters that shape the design: all but those that just grow, and those on which no resource depends.
template <class Config>
std::vector<bool> shapes_of(const explore::Space& space, const contract::Device& device) {
  using Resources = base::Effect::Resources;
  std::vector<bool> shapes;
  for (const explore::Parameter& parameter : space.parameters) {
    const Resources role = contract::effect_of<Config>(parameter.path).resources;
    // Yosys shares memories out among block RAMs in ways that need not grow with them.
    const bool grows = role == Resources::grow && device.coefficients != contract::Coefficients::yosys;
    shapes.push_back(!grows && role != Resources::none);
  }
  return shapes;
}

// Of a box, by the parts that have one value of each parameter that shapes the design. `part` says what is sure of
// one, none if no point of it is possible. Boxes of too many shapes are divided before anything is said of them.
using PartBounds = std::function<std::optional<explore::Bounds>(const explore::Box&)>;
explore::Bounds shape_hull(const explore::Box& box, const std::vector<bool>& shapes, const PartBounds& part);

}  // namespace fansim::accelerators

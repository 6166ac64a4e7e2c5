// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "importer/file/model.h"

// What a conversion looks at in a node by itself.
namespace fansim::importer {

// Why a node becomes no layer.
struct Refused {
  std::string reason;
};

std::int64_t product(const Dims& dims);
std::string text(const Dims& dims);  // "1 x 3 x 5 x 5"

// A shape as Reshape is told it, of a tensor of dims `from`: 0 is what was there, -1 what is left. Throws Refused.
void resolve_shape(const Dims& from, Dims& to);

// What the node computes of constants alone, or of its input's shape, if it is a constant or arithmetic on shapes as
// exporters spell it out; `inputs` are null where they are none. Throws Refused.
std::optional<Constant> folded(const Node& node, const std::vector<const Constant*>& inputs, const Dims& shape);

}  // namespace fansim::importer

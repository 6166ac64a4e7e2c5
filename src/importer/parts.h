// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "importer/file/model.h"

// This file declares what a conversion needs to know about a single node.
namespace fansim::importer {

// Is thrown with the reason why a node becomes no layer.
struct Refused {
  std::string reason;
};

std::int64_t product(const Dims& dims);
std::string text(const Dims& dims);  // "1 x 3 x 5 x 5"

// Completes a shape by the rules of Reshape, for a tensor of dims `from`: 0 keeps a dimension, -1 takes what is left.
// Throws Refused.
void resolve_shape(const Dims& from, Dims& to);

// Returns what the node computes, if it is a constant or arithmetic on shapes as exporters spell it out. It may read
// only constants and the shape of its input; the pointers to other inputs are null. Throws Refused.
std::optional<Constant> folded(const Node& node, const std::vector<const Constant*>& inputs, const Dims& shape);

}  // namespace fansim::importer

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "importer/model.h"

// What a conversion looks at in a node by itself.
namespace fansim::importer {

// Why a node becomes no layer.
struct Refused {
  std::string reason;
};

std::int64_t product(const Dims& dims);
std::string text(const Dims& dims);  // "1 x 3 x 5 x 5"

// A square window with equal strides over a map.
struct Window {
  int kernel = 1, stride = 1;
  std::array<int, 4> padding{};  // top, left, bottom, right
  bool ceil_mode = false;
  std::int64_t height = 1, width = 1;  // of what comes out
};
// Of a convolution's or pooling's node over a map [1, C, H, W]. Throws Refused.
Window window_of(const Node& node, const Dims& map, const Dims& kernel);

// What the node computes of constants alone, or of its input's shape, if it is a constant or arithmetic on shapes as
// exporters spell it out; `inputs` are null where they are none. Throws Refused.
std::optional<Constant> folded(const Node& node, const std::vector<const Constant*>& inputs, const Dims& shape);

}  // namespace fansim::importer

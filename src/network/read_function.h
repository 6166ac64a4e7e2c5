// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "base/yaml.h"
#include "network/function.h"

namespace fansim::network {

constexpr int kLargestExtent = 1 << 20;
constexpr int kLargestKernel = 1024;

// The keys of a function, whose kind is known.
void read_function(base::YamlMap& map, FunctionStage& stage);

// Key `padding`: one integer or [top, left, bottom, right]; none unless given.
std::array<int, 4> read_padding(base::YamlMap& map);

}  // namespace fansim::network

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "base/yaml.h"
#include "network/function.h"

namespace fansim::network {

constexpr int kLargestExtent = 1 << 20;
constexpr int kLargestKernel = 1024;

// Reads the keys of a function whose kind is known.
void read_function(base::YamlMap& map, FunctionStage& stage);

// Reads key `padding`: one integer or [top, left, bottom, right]; 0 if it is absent.
std::array<int, 4> read_padding(base::YamlMap& map);

}  // namespace fansim::network

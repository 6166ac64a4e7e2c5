// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "arch/program.h"
#include "arch/result.h"
#include "arch/tiled_config.h"

// The fast engine as a search calls it: one layer at a time, timing only.
namespace fansim::cli {

// Everything that the layer's timing depends on, as bytes: two layers with the same key take the same cycles and move
// the same bytes. `program` is of one layer.
std::string timing_key(const arch::TiledConfig& config, const arch::Program& program);

arch::LayerResult time_layer(const arch::TiledConfig& config, arch::Program program);

}  // namespace fansim::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "accelerators/tiled/config/config.h"
#include "contract/program.h"
#include "contract/resources.h"
#include "network/network.h"

// This file computes lower bounds of the tiled accelerator's costs over ranges of configurations, which serve only to
// rule out points. `low` and `high` are the ends of the ranges of what grows; everything else is the same in both.
namespace fansim::tiled {

// Returns a lower bound of a layer's cycles. Each point of a tile takes a cycle to compute. Data are loaded through the
// loader's stream and the memory's port, with the latency of a burst for each load where loads take turns
// (docs/explore.md). `pool` is the pooling that is fused with the layer, or null.
double least_cycles(const network::Layer& layer, const network::Layer* pool, const Config& low, const Config& high);

// Returns the same for a layer that has been compiled. Its tiles are known, so the first tile is loaded before the
// first computation and the last one is stored after all computation.
double least_cycles(const contract::Program& program, const Config& config);

// Returns a lower bound of the resources of all designs in the range. `placed` says, for each engine, whether its
// factors are fixed in the range and its MACs are made where `low` says. `dsp_within_device`: designs with more DSP
// slices than the device do not matter.
using Placed = std::array<bool, Config::kEngines>;
contract::Resources least_use(const Config& low, const Placed& placed, bool dsp_within_device);

}  // namespace fansim::tiled

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "accelerators/tiled/config/config.h"
#include "contract/program.h"
#include "contract/resources.h"
#include "network/network.h"

// Lower bounds of the tiled accelerator's costs over ranges of configurations: they rule points out, nothing else.
// `low` and `high` are the ends of the ranges of what grows; everything else is the same in both.
namespace fansim::tiled {

// Cycles that a layer takes at least: each point of a tile is computed in a cycle, and what is loaded comes through the
// loader's stream and the memory's port, a burst's latency after the loads take turns (docs/explore.md).
// `pool` is what is fused into it, or null.
double least_cycles(const network::Layer& layer, const network::Layer* pool, const Config& low, const Config& high);

// The same of a layer that has been compiled: with its tiles known, the first of which is loaded before anything is
// computed and the last of which is stored after everything is.
double least_cycles(const contract::Program& program, const Config& config);

// What all designs of the range use at least. `placed`: of the engines, by number, whose factors are all of the range's
// and whose MACs are made where `low` says. `dsp_within_device`: designs with more DSP slices than the device are of no
// interest.
using Placed = std::array<bool, Config::kEngines>;
contract::Resources least_use(const Config& low, const Placed& placed, bool dsp_within_device);

}  // namespace fansim::tiled

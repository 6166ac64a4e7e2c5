// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "accelerators/layer_key.h"
#include "accelerators/tiled/config/config.h"
#include "accelerators/tiled/replay/path_tables.h"
#include "contract/program.h"
#include "contract/result.h"
#include "network/network.h"

// This file runs the fast engine for a search: one layer at a time, without values.
namespace fansim::tiled {

// Returns the layers that run by themselves. Flattened tensors and layers that are fused into others do not; a
// concatenation that is a placement in this configuration takes no time.
std::vector<int> timed_layers(const network::Network& network, const Config& config);

// Returns whether gaps may extend into the next layer. They do not if the host's work before the layer's first transfer
// covers them.
bool gaps_reach(const Config& config);

// Returns, as bytes, everything in a configuration on which the program of a layer on an engine, and its time, depend.
// It leaves out what belongs only to another engine.
std::string engine_key(const Config& config, int engine);

// Returns, as bytes, everything on which the layer's timing depends: two layers with the same key take the same number
// of cycles, move the same number of bytes and leave the same gaps. `program` has one layer.
std::string timing_key(const Config& config, const contract::Program& program, const accelerators::Gaps& gaps);

// Returns, as bytes, everything on which the transition tables of the paths depend.
std::string paths_key(const Config& config);

// `gaps` are those at the begin of the layer, and become those that it leaves. `tables` are the transition tables of
// such paths, which grow; full ones are emptied first.
contract::LayerResult time_layer(const Config& config, const contract::Program& program, accelerators::Gaps& gaps,
                                 PathTables& tables);
contract::LayerResult time_layer(const Config& config, const contract::Program& program, accelerators::Gaps& gaps);

}  // namespace fansim::tiled

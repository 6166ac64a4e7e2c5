// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "accelerators/layer_key.h"
#include "accelerators/tiled/config/config.h"
#include "accelerators/tiled/timing/tiled_engine.h"
#include "contract/program.h"
#include "contract/result.h"
#include "network/network.h"

// The fast engine as a search calls it: one layer at a time, timing only.
namespace fansim::tiled {

// The layers that run by themselves: not flattened tensors, not what others are fused into. A concatenation that
// the configuration makes a placement runs in no time.
std::vector<int> timed_layers(const network::Network& network, const Config& config);

// Whether gaps may reach into the next layer. The host's work before its first transfer covers those that do not.
bool gaps_reach(const Config& config);

// All of a configuration that the program of a layer on an engine depends on, and its time, as bytes: not what is
// another engine's alone.
std::string engine_key(const Config& config, int engine);

// Everything that the layer's timing depends on, as bytes: two layers with the same key take the same cycles, move the
// same bytes and leave the same gaps. `program` is of one layer.
std::string timing_key(const Config& config, const contract::Program& program, const accelerators::Gaps& gaps);

// All that what is known of paths depends on, as bytes.
std::string paths_key(const Config& config);

// `gaps`: those at its begin, then those it leaves. `books`: what is known of such paths, and more of it;
// anew where they are full.
contract::LayerResult time_layer(const Config& config, const contract::Program& program, accelerators::Gaps& gaps,
                                 PathBooks& books);
contract::LayerResult time_layer(const Config& config, const contract::Program& program, accelerators::Gaps& gaps);

}  // namespace fansim::tiled

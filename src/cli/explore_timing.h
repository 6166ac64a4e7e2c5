// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "arch/program.h"
#include "arch/result.h"
#include "arch/stream_config.h"
#include "arch/tiled_config.h"

// The fast engine as a search calls it: one layer at a time, timing only.
namespace fansim::cli {

// What reaches from one layer into the next: edges, from its begin, before which a reader takes no data or the writer
// pushes no burst, because of the gap behind the last burst; 0: none.
struct Gaps {
  base::Cycles inputs = 0, weights = 0, outputs = 0;

  bool any() const { return inputs > 0 || weights > 0 || outputs > 0; }
};

// Whether gaps may be so long. The host's work before a layer's first transfer covers those that are not.
bool gaps_reach(const arch::StreamConfig& config);
bool gaps_reach(const arch::TiledConfig& config);

// What of a program decides its time, as bytes: of a long one a digest.
std::string steps_of(const arch::Program& program);

// All that the program of a layer, and the least that it takes, depend on, as bytes.
std::string program_key(const arch::StreamConfig& config);

// Everything that the layer's timing depends on, as bytes: two layers with the same key take the same cycles, move the
// same bytes and leave the same gaps. `program` is of one layer.
std::string timing_key(const arch::StreamConfig& config, const std::string& steps, const Gaps& gaps);
std::string timing_key(const arch::StreamConfig& config, const arch::Program& program, const Gaps& gaps);
std::string timing_key(const arch::TiledConfig& config, const arch::Program& program, const Gaps& gaps);

// `gaps`: those at its begin, then those it leaves.
arch::LayerResult time_layer(const arch::StreamConfig& config, const arch::Program& program, Gaps& gaps);
arch::LayerResult time_layer(const arch::TiledConfig& config, const arch::Program& program, Gaps& gaps);

}  // namespace fansim::cli

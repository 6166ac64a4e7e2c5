// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "arch/program.h"
#include "arch/result.h"
#include "arch/tiled_config.h"
#include "timing/edge.h"
#include "timing/engine_options.h"

namespace fansim::timing {

// All that a layer knows of the one before: edges, counted from its own begin, before which the readers take no data.
struct TiledGaps {
  Edge inputs = kLongAgo, weights = kLongAgo;
};

// The timing of one layer on the tiled accelerator: the results of systems::TiledMachine but for the outputs, every one
// of them, without stepping through its cycles (docs/fast_engine.md). `steps` are the host's of this layer; `gaps`
// those at its begin, then at its end.
arch::LayerResult run_tiled_layer(const arch::TiledConfig& config, const arch::LayerPlan& plan,
                                  const std::vector<arch::HostOp>& steps, TiledGaps& gaps);

// The same for every layer of a program, which needs no memory.
std::vector<arch::LayerResult> run_tiled(const arch::TiledConfig& config, const arch::Program& program);

// With the outputs, if `options` wants values. Ends early when stop_requested says so.
std::vector<arch::LayerResult> run_tiled(const arch::TiledConfig& config, arch::Program program,
                                         const EngineOptions& options);

}  // namespace fansim::timing

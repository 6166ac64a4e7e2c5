// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/tiled/config/config.h"
#include "contract/host_steps.h"
#include "contract/result.h"
#include "timing/edge.h"

namespace fansim::tiled {

// All that a layer leaves for the next one: edges, counted from that one's begin, before which its readers take no
// data.
struct TiledGaps {
  timing::Edge inputs = timing::kLongAgo, weights = timing::kLongAgo;
};

// The timing of one layer on the tiled accelerator: the results of the clocked machine but for the outputs, every one
// of them, without stepping through its cycles (docs/fast_engine.md). `gaps`: those at its begin, then at its end.
// replay_tiled_layer() (tiled/replay) gives the same results sooner.
contract::LayerResult run_tiled_layer(const Config& config, const contract::Program& program,
                                      const contract::LayerSteps& layer, TiledGaps& gaps,
                                      const contract::ProgressCallback& progress = {});

}  // namespace fansim::tiled

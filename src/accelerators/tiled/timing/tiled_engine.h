// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/tiled/config/config.h"
#include "accelerators/tiled/paths/path_book.h"
#include "contract/host_steps.h"
#include "contract/result.h"
#include "timing/edge.h"

namespace fansim::tiled {

// All that a layer knows of the one before: edges, counted from its own begin, before which the readers take no data.
struct TiledGaps {
  timing::Edge inputs = timing::kLongAgo, weights = timing::kLongAgo;
};

// The timing of one layer on the tiled accelerator: the results of the clocked machine but for the outputs, every one
// of them, without stepping through its cycles (docs/fast_engine.md). `gaps`: those at its begin, then at its end.
// `books`: what is known of the paths of this configuration, and is known then.
contract::LayerResult run_tiled_layer(const Config& config, const contract::Program& program,
                                      const contract::LayerSteps& layer, TiledGaps& gaps, PathBooks& books,
                                      const contract::Pulse& pulse = {});
// The same for who asks for no buckets.
contract::LayerResult time_tiled_layer(const Config& config, const contract::Program& program,
                                       const contract::LayerSteps& layer, TiledGaps& gaps, PathBooks& books);

}  // namespace fansim::tiled

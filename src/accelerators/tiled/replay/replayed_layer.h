// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/tiled/replay/path_tables.h"
#include "accelerators/tiled/timing/tiled_engine.h"

namespace fansim::tiled {

// run_tiled_layer() by replay: the same results, sooner. `tables` are of such paths, and learn more.
contract::LayerResult replay_tiled_layer(const Config& config, const contract::Program& program,
                                         const contract::LayerSteps& layer, TiledGaps& gaps, PathTables& tables,
                                         const contract::ProgressCallback& progress = {});
// The same for who asks for no buckets.
contract::LayerResult time_tiled_layer(const Config& config, const contract::Program& program,
                                       const contract::LayerSteps& layer, TiledGaps& gaps, PathTables& tables);

}  // namespace fansim::tiled

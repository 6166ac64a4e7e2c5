// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/timing/tiled_engine.h"

#include "accelerators/tiled/timing/tiled_layer.h"
#include "contract/result_of.h"

namespace fansim::tiled {

namespace {

contract::LayerResult run(const Config& config, const contract::Program& program, const contract::LayerSteps& layer,
                          TiledGaps& gaps, PathBooks& books, const contract::Pulse& pulse, bool buckets) {
  TiledLayer timed(config, *layer.plan, gaps, books, pulse, buckets);
  contract::follow(program, layer, timed, pulse);
  contract::LayerResult result = contract::result_of(*layer.plan);
  timed.finish(result);
  gaps = timed.gaps();
  return result;
}

}  // namespace

contract::LayerResult run_tiled_layer(const Config& config, const contract::Program& program,
                                      const contract::LayerSteps& layer, TiledGaps& gaps, PathBooks& books,
                                      const contract::Pulse& pulse) {
  return run(config, program, layer, gaps, books, pulse, true);
}

contract::LayerResult time_tiled_layer(const Config& config, const contract::Program& program,
                                       const contract::LayerSteps& layer, TiledGaps& gaps, PathBooks& books) {
  return run(config, program, layer, gaps, books, {}, false);
}

}  // namespace fansim::tiled

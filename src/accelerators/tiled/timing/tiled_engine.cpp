// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/timing/tiled_engine.h"

#include "accelerators/tiled/timing/tiled_layer.h"
#include "contract/result_of.h"

namespace fansim::tiled {

contract::LayerResult run_tiled_layer(const Config& config, const contract::Program& program,
                                      const contract::LayerSteps& layer, TiledGaps& gaps, PathBooks& books,
                                      const contract::Pulse& pulse) {
  TiledLayer timed(config, *layer.plan, gaps, books, pulse);
  contract::follow(program, layer, timed, pulse);
  contract::LayerResult result = contract::result_of(*layer.plan);
  timed.finish(result);
  gaps = timed.gaps();
  return result;
}

}  // namespace fansim::tiled

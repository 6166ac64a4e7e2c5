// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/timing/tiled_engine.h"

#include <utility>

#include "accelerators/tiled/timing/tiled_layer.h"
#include "contract/result_of.h"

namespace fansim::tiled {

TiledParts computed_parts(const Config& config) {
  const PathConfigs configs(config);
  TiledParts parts{configs, {}, {}, {}, {}};
  parts.memory = timing::make_memory(config.ddr, config.port.beat_bytes(), config.port_mhz, ports(config));
  parts.inputs = std::make_unique<ComputedPath<ReadPath, ReadStream>>(ReadPath(configs.inputs, config.load.gap));
  parts.weights = std::make_unique<ComputedPath<ReadPath, ReadStream>>(ReadPath(configs.weights, config.load.gap));
  parts.outputs = std::make_unique<ComputedPath<WritePath, WriteStream>>(WritePath(configs.outputs));
  return parts;
}

contract::LayerResult run_tiled_layer(const Config& config, const contract::Program& program,
                                      const contract::LayerSteps& layer, TiledGaps& gaps,
                                      const contract::ProgressCallback& progress) {
  return follow_tiled_layer(config, program, layer, gaps, computed_parts(config), progress, true);
}

contract::LayerResult follow_tiled_layer(const Config& config, const contract::Program& program,
                                         const contract::LayerSteps& layer, TiledGaps& gaps, TiledParts parts,
                                         const contract::ProgressCallback& progress, bool keeps_buckets) {
  TiledLayer timed(config, *layer.plan, gaps, std::move(parts), progress, keeps_buckets);
  contract::follow(program, layer, timed, progress);
  contract::LayerResult result = contract::result_of(*layer.plan);
  timed.finish(result);
  gaps = timed.gaps();
  return result;
}

}  // namespace fansim::tiled

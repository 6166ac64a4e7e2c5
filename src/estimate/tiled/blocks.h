// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arch/resources.h"
#include "arch/tiled_config.h"

// What each box of the tiled accelerator uses.
namespace fansim::estimate::tiled {

using arch::EngineConfig;
using arch::Resources;
using arch::TiledConfig;

Resources instruction_unit(const TiledConfig& config);
Resources input_loader(const TiledConfig& config);
Resources weight_loader(const TiledConfig& config);
Resources map_decoder(const TiledConfig& config);
Resources weight_decoder(const TiledConfig& config);
Resources memory_path(const TiledConfig& config);
Resources map_encoder(const TiledConfig& config);
Resources output_store(const TiledConfig& config);
Resources parameter_store(const TiledConfig& config);
Resources post_process(const TiledConfig& config);

Resources input_store(const TiledConfig& config, const EngineConfig& engine);
Resources sums_store(const TiledConfig& config, const EngineConfig& engine);
Resources weight_level1(const TiledConfig& config);
Resources fc_weight_store(const TiledConfig& config);
Resources weight_level2(const TiledConfig& config, const EngineConfig& engine);
Resources tile_engine(const TiledConfig& config, const EngineConfig& engine, double luts_per_mac);

}  // namespace fansim::estimate::tiled

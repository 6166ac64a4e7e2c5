// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/tiled/config/config.h"
#include "contract/resources.h"

// This file lists what each box of the tiled accelerator uses.
namespace fansim::tiled {

using contract::Resources;

Resources instruction_unit(const Config& config);
Resources input_loader(const Config& config);
Resources weight_loader(const Config& config);
Resources map_decoder(const Config& config);
Resources weight_decoder(const Config& config);
Resources memory_path(const Config& config);
Resources map_encoder(const Config& config);
Resources output_store(const Config& config);
Resources parameter_store(const Config& config);
Resources post_process(const Config& config);

Resources input_store(const Config& config, const EngineConfig& engine);
Resources sums_store(const Config& config, const EngineConfig& engine);
Resources weight_level1(const Config& config);
Resources fc_weight_store(const Config& config);
Resources weight_level2(const Config& config, const EngineConfig& engine);
Resources tile_engine(const Config& config, const EngineConfig& engine, double luts_per_mac);

}  // namespace fansim::tiled

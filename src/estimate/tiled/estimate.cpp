// SPDX-License-Identifier: Apache-2.0
#include "estimate/tiled/estimate.h"

#include "estimate/tiled/blocks.h"
#include "estimate/tiled/macs.h"

namespace fansim::estimate {
namespace {

using arch::TiledConfig;

constexpr const char* kEngineNames[TiledConfig::kEngines] = {"conv", "first", "fc"};

std::string block(int engine, const char* part) { return std::string(kEngineNames[engine]) + "_" + part; }

}  // namespace

std::vector<BlockUse> block_uses(const TiledConfig& c) {
  const double luts = luts_per_mac(c.quantisation);
  std::vector<BlockUse> blocks{
      {"instruction_unit", tiled::instruction_unit(c)}, {"memory_path", tiled::memory_path(c)},
      {"input_loader", tiled::input_loader(c)},         {"weight_loader", tiled::weight_loader(c)},
      {"map_decoder", tiled::map_decoder(c)},           {"weight_decoder", tiled::weight_decoder(c)},
      {"conv_weight_level1", tiled::weight_level1(c)}};
  if (c.fc.exists()) blocks.push_back({"fc_weight_level1", tiled::fc_weight_store(c)});
  for (int i = 0; i < TiledConfig::kEngines; ++i) {
    const arch::EngineConfig& engine = c.engine(i);
    if (!engine.exists()) continue;
    blocks.push_back({block(i, "input_store"), tiled::input_store(c, engine)});
    blocks.push_back({block(i, "weight_level2"), tiled::weight_level2(c, engine)});
    blocks.push_back({block(i, "engine"), tiled::tile_engine(c, engine, luts)});
    blocks.push_back({block(i, "sums_store"), tiled::sums_store(c, engine)});
  }
  blocks.push_back({"parameter_store", tiled::parameter_store(c)});
  blocks.push_back({"post_process", tiled::post_process(c)});
  blocks.push_back({"output_store", tiled::output_store(c)});
  blocks.push_back({"map_encoder", tiled::map_encoder(c)});
  return blocks;
}

arch::Resources engine_use(const std::vector<BlockUse>& blocks, const std::string& engine) {
  arch::Resources use;
  for (const BlockUse& block : blocks) {
    if (block.name.rfind(engine + "_", 0) == 0) use += block.use;
  }
  return use;
}

Estimate estimate(const TiledConfig& c) {
  Estimate result;
  result.blocks = block_uses(c);
  for (const BlockUse& block : result.blocks) result.total += block.use;
  result.fit = fit(result.total, c.device);
  result.fmax = fmax(c.device, true);
  result.power = power(c.clock_hz(), c.device, result.total);
  return result;
}

}  // namespace fansim::estimate

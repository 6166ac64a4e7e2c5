// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/estimate/estimate.h"

#include "accelerators/tiled/estimate/blocks.h"
#include "accelerators/tiled/estimate/macs.h"
#include "accelerators/tiled/estimate/paths.h"
#include "estimate/int8_chains.h"

namespace fansim::tiled {
namespace {

std::string block(int engine, const char* part) {
  return std::string(Config::kEngineNames[static_cast<std::size_t>(engine)]) + "_" + part;
}

}  // namespace

std::vector<estimate::BlockUse> block_uses(const Config& c) {
  const double luts = luts_per_mac(c.quantisation);
  std::vector<estimate::BlockUse> blocks{
      {"instruction_unit", tiled::instruction_unit(c)}, {"memory_path", tiled::memory_path(c)},
      {"input_loader", tiled::input_loader(c)},         {"weight_loader", tiled::weight_loader(c)},
      {"map_decoder", tiled::map_decoder(c)},           {"weight_decoder", tiled::weight_decoder(c)},
      {"conv_weight_level1", tiled::weight_level1(c)}};
  if (c.fc.exists()) blocks.push_back({"fc_weight_level1", tiled::fc_weight_store(c)});
  for (int i = 0; i < Config::kEngines; ++i) {
    const EngineConfig& engine = c.engine(i);
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
  add_paths(c, blocks);
  return blocks;
}

contract::Resources engine_use(const std::vector<estimate::BlockUse>& blocks, const std::string& engine) {
  contract::Resources use;
  for (const estimate::BlockUse& block : blocks) {
    if (block.name.rfind(engine + "_", 0) == 0) use += block.use;
  }
  return use;
}

estimate::Estimate cost_of(const Config& c) {
  estimate::Estimate cost = estimate::estimate_of(block_uses(c), c.device, c.clock_hz());
  for (int i = 0; i < Config::kEngines; ++i)
    if (c.engine(i).exists() && c.engine(i).chains())
      estimate::refuse_packing(std::string(Config::kEngineNames[static_cast<std::size_t>(i)]) + ".macs int8_chain",
                               "dsp", c.device, cost.fit);
  return cost;
}

}  // namespace fansim::tiled

// SPDX-License-Identifier: Apache-2.0
#include "arch/tiled_config.h"

#include <fmt/format.h>

#include "arch/config_file.h"
#include "arith/quantisation/component.h"

namespace fansim::arch {
namespace {

using base::YamlMap;

void check_width(YamlMap& map, const char* key, int bits) {
  if ((bits & (bits - 1)) != 0)
    map.fail(key, fmt::format("{} {} is not a port width; allowed: 8, 16, ... 512", key, bits));
}

template <class Block>
void check(YamlMap&, const Block&) {}
// What no method defines is told at the key that asks for it.
void check(YamlMap& map, const QuantisationConfig& q) {
  const arith::QuantisationMethods methods;
  const arith::QuantisationMethod* method = methods.find(q.method);
  if (!method) map.fail("method", methods.unknown(q.method));
  const arith::Grain grain = q.grain == MacGrain::fine ? arith::Grain::fine : arith::Grain::coarse;
  const std::string refused = arith::refusal(*method, q.weight_bits, q.activation_bits, grain);
  if (!refused.empty()) map.fail("method", refused);
}
void check(YamlMap& map, const EngineConfig& engine) {
  if ((engine.tm > 0) != (engine.tn > 0))
    map.fail("tn", fmt::format("tm {} and tn {}: both are 0 or neither", engine.tm, engine.tn));
  const bool divided = engine.macs == MacPlace::by_output || engine.macs == MacPlace::by_input;
  if (!divided && map.has("dsp_channels"))
    map.fail("dsp_channels", "dsp_channels: only 'macs: by_output' and 'by_input' divide the MACs");
  const int channels = engine.macs == MacPlace::by_output ? engine.tm : engine.tn;
  if (divided && engine.dsp_channels > channels)
    map.fail("dsp_channels", fmt::format("dsp_channels {} is more than {} channels", engine.dsp_channels, channels));
}
void check(YamlMap& map, const LoadConfig& load) {
  check_width(map, "input_bits", load.input_bits);
  check_width(map, "weight_bits", load.weight_bits);
}
void check(YamlMap& map, const StoreConfig& store) { check_width(map, "bits", store.bits); }
void check(YamlMap& map, const AxiConfig& port) { check_width(map, "data_bits", port.data_bits); }
void check(YamlMap& map, const DdrConfig& ddr) { check_ddr(map, ddr); }

// A value, with its slot, lies in one beat of each stream.
void check_encoding(const YamlMap& top, const char* block, const char* key, const char* what, const Encoding& e) {
  if (e.slot_bits > std::min(e.word_bits, e.beat_bits))
    top.fail(block,
             fmt::format("{}: {} {} is narrower than {} of {} bits", block, key, e.beat_bits, what, e.slot_bits));
}

void check_system(const YamlMap& top, const TiledConfig& c) {
  if (!c.conv.exists()) top.fail("conv", "conv: tm and tn: the accelerator needs a convolution engine");
  check_encoding(top, "load", "input_bits", "an activation", c.input_encoding());
  check_encoding(top, "load", "weight_bits", "a weight", c.weight_encoding());
  check_encoding(top, "store", "bits", "an activation", c.output_encoding());
}

std::string hash_of(TiledConfig& config) {
  ConfigHash hash(config.device);
  hash.add(fmt::format("clock_mhz={}\nport_mhz={}\n", config.clock_mhz.text(), config.port_mhz.text()));
  config.visit_blocks(hash);
  hash.add_part(config.ddr);
  return hash.text();
}

}  // namespace

TiledConfig load_tiled_config(const std::string& path, const std::vector<std::string>& overrides) {
  YamlMap top(load_config_document(path, overrides));
  TiledConfig config;
  top.integer("version", 1, 1);
  config.name = top.text("name");
  require_system(top, System::tiled);
  config.device = read_device(top, path);
  config.clock_mhz = read_clock(top, "clock_mhz");
  if (top.has("port_mhz")) config.port_mhz = read_clock(top, "port_mhz");
  config.visit_blocks([&top](const char* key, auto& block) {
    read_block(top, key, block, [](YamlMap& map, const auto& b) { check(map, b); });
  });
  top.finish();
  check_system(top, config);
  config.hash = hash_of(config);
  return config;
}

}  // namespace fansim::arch

// SPDX-License-Identifier: Apache-2.0
#include "arch/tiled_config.h"

#include <fmt/format.h>

#include "arch/config_file.h"
#include "arch/settings.h"
#include "arith/quantisation/component.h"

namespace fansim::arch {
namespace {

using base::YamlMap;

void check_width(Problems& problems, const char* key, int bits) {
  if ((bits & (bits - 1)) != 0)
    problems.push_back({key, fmt::format("{} {} is not a port width; allowed: 8, 16, ... 512", key, bits)});
}

template <class Block>
void check(Problems&, const Block&) {}
void check(Problems& problems, const QuantisationConfig& q) {
  const arith::QuantisationMethods methods;
  const arith::QuantisationMethod* method = methods.find(q.method);
  if (!method) return problems.push_back({"method", methods.unknown(q.method)});
  const arith::Grain grain = q.grain == MacGrain::fine ? arith::Grain::fine : arith::Grain::coarse;
  const std::string refused = arith::refusal(*method, q.weight_bits, q.activation_bits, grain);
  if (!refused.empty()) problems.push_back({"method", refused});
}
bool divided(const EngineConfig& engine) {
  return engine.macs == MacPlace::by_output || engine.macs == MacPlace::by_input;
}
void check(Problems& problems, const EngineConfig& engine) {
  if ((engine.tm > 0) != (engine.tn > 0))
    problems.push_back({"tn", fmt::format("tm {} and tn {}: both are 0 or neither", engine.tm, engine.tn)});
  const int channels = engine.macs == MacPlace::by_output ? engine.tm : engine.tn;
  if (divided(engine) && engine.dsp_channels > channels)
    problems.push_back(
        {"dsp_channels", fmt::format("dsp_channels {} is more than {} channels", engine.dsp_channels, channels)});
}
void check(Problems& problems, const LoadConfig& load) {
  check_width(problems, "input_bits", load.input_bits);
  check_width(problems, "weight_bits", load.weight_bits);
}
void check(Problems& problems, const StoreConfig& store) { check_width(problems, "bits", store.bits); }
void check(Problems& problems, const AxiConfig& port) { check_width(problems, "data_bits", port.data_bits); }
void check(Problems& problems, const DdrConfig& ddr) {
  const DdrProblem problem = problem_of(ddr);
  if (problem.key) problems.push_back({problem.key, problem.text});
}

// What a file says beyond its values.
template <class Block>
void check_file(YamlMap&, const Block&) {}
void check_file(YamlMap& map, const EngineConfig& engine) {
  if (!divided(engine) && map.has("dsp_channels"))
    map.fail("dsp_channels", "dsp_channels: only 'macs: by_output' and 'by_input' divide the MACs");
}
void check_file(YamlMap& map, const DdrConfig& ddr) { check_part(map, ddr); }

// A value, with its slot, lies in one beat of each stream.
void check_encoding(Problems& problems, const char* block, const char* key, const char* what, const Encoding& e) {
  if (e.slot_bits > std::min(e.word_bits, e.beat_bits))
    problems.push_back(
        {block, fmt::format("{}: {} {} is narrower than {} of {} bits", block, key, e.beat_bits, what, e.slot_bits)});
}

// What one block asks of another.
Problems check_system(const TiledConfig& c) {
  Problems problems;
  if (!c.conv.exists()) problems.push_back({"conv", "conv: tm and tn: the accelerator needs a convolution engine"});
  check_encoding(problems, "load", "input_bits", "an activation", c.input_encoding());
  check_encoding(problems, "load", "weight_bits", "a weight", c.weight_encoding());
  check_encoding(problems, "store", "bits", "an activation", c.output_encoding());
  // A controller's port is as wide as a burst of eight of its memory, or narrower.
  const int access_bits = c.ddr.part.access_bytes() * 8;
  if (c.ddr.fidelity == DdrFidelity::banked && c.port.data_bits > access_bits)
    problems.push_back({"port", fmt::format("port: data_bits {} is wider than a column access of {}: {} bits",
                                            c.port.data_bits, c.ddr.part.name, access_bits)});
  return problems;
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
    read_block(top, key, block, [](YamlMap& map, const auto& b) {
      check_file(map, b);
      Problems problems;
      check(problems, b);
      for (const Problem& problem : problems) map.fail(problem.key, problem.text);
    });
  });
  top.finish();
  for (const Problem& problem : check_system(config)) top.fail(problem.key, problem.text);
  config.hash = hash_of(config);
  return config;
}

std::string refusal(const TiledConfig& config) {
  return first_problem(
      config, [](Problems& problems, const auto& block) { check(problems, block); }, check_system(config));
}

}  // namespace fansim::arch

// SPDX-License-Identifier: Apache-2.0
#include "arch/stream_config.h"

#include <fmt/format.h>

#include "arch/config_file.h"
#include "arch/settings.h"

namespace fansim::arch {
namespace {

using base::YamlMap;

template <class Block>
void check(Problems&, const Block&) {}
void check(Problems& problems, const ArrayConfig& array) {
  if (array.taps() > ArrayConfig::kMaxTaps)
    problems.push_back({"cols", fmt::format("{} x {} = {} taps; allowed: {} at most", array.rows, array.cols,
                                            array.taps(), ArrayConfig::kMaxTaps)});
  if ((array.input_channels & (array.input_channels - 1)) != 0)
    problems.push_back(
        {"input_channels", fmt::format("input_channels {} must be a power of two", array.input_channels)});
  if (array.output_channels % array.input_channels != 0)
    problems.push_back({"output_channels", fmt::format("output_channels {} must be a multiple of input_channels {}",
                                                       array.output_channels, array.input_channels)});
  if (array.multiplier == Multiplier::dsp48e2_dual_int8 && array.output_channels % 2 != 0)
    problems.push_back(
        {"output_channels", fmt::format("output_channels {} must be even: dsp48e2_dual_int8 computes two at once",
                                        array.output_channels)});
}
void check(Problems& problems, const AxiConfig& axi) {
  if (axi.data_bits != 64 && axi.data_bits != 128)
    problems.push_back(
        {"data_bits", fmt::format("data_bits {} is not a port width; allowed: 64 or 128", axi.data_bits)});
}
void check(Problems& problems, const DmaConfig& dma) {
  if (dma.scatter_gather())
    problems.push_back(
        {"mode", "mode scatter_gather: the streaming core's output writer programs DA and LENGTH; allowed: direct"});
}
void check(Problems& problems, const arith::QuantiserFormat& quantiser) {
  const auto most = [&problems](const char* key, int bits) {
    if (bits > 32)
      problems.push_back({key, fmt::format("{} {}: the streaming core's sums have at most 32 bits", key, bits)});
  };
  most("accumulator_bits", quantiser.accumulator_bits);
  most("operand_bits", quantiser.operand_bits);
}
void check(Problems& problems, const DdrConfig& ddr) {
  const DdrProblem problem = problem_of(ddr);
  if (problem.key) problems.push_back({problem.key, problem.text});
}

// What a file says beyond its values.
template <class Block>
void check_file(YamlMap&, const Block&) {}
void check_file(YamlMap& map, const ArrayConfig& array) {
  if (map.has("shadow_luts") && array.multiplier != Multiplier::lut_reconfigurable)
    map.fail("shadow_luts", "shadow_luts: only 'multiplier: lut_reconfigurable' has tables to reload");
}
void check_file(YamlMap& map, const DdrConfig& ddr) { check_part(map, ddr); }

// What one block asks of another.
Problems check_system(const StreamConfig& config) {
  constexpr int kBiasRecordBytes = 8;  // the longer form, with M and n per channel
  Problems problems;
  const int pitch = base::round_up(config.array.weight_column_bytes(), config.axi.beat_bytes());
  const int weight_set = pitch * config.array.cols;
  if (config.buffers.weight_half_bytes() < weight_set)
    problems.push_back(
        {"buffers", fmt::format("buffers: weight_kib {} is too small: half of it must hold one weight set of {} bytes",
                                config.buffers.weight_kib, weight_set)});
  const int bias_group = config.array.output_channels * kBiasRecordBytes;
  if (config.buffers.bias_half_bytes() < bias_group)
    problems.push_back({"buffers", fmt::format("buffers: bias_kib {} is too small: half of it must hold {} bytes",
                                               config.buffers.bias_kib, bias_group)});
  return problems;
}

std::string hash_of(StreamConfig& config) {
  ConfigHash hash(config.device);
  hash.add(fmt::format("clock_mhz={}\n", config.clock_mhz.text()));
  config.visit_blocks(hash);
  hash.add_part(config.ddr);
  return hash.text();
}

}  // namespace

StreamConfig load_stream_config(const std::string& path, const std::vector<std::string>& overrides) {
  YamlMap top(load_config_document(path, overrides));
  StreamConfig config;
  top.integer("version", 1, 1);
  config.name = top.text("name");
  require_system(top, System::stream);
  config.device = read_device(top, path);
  config.clock_mhz = read_clock(top, "clock_mhz");
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

std::string refusal(const StreamConfig& config) {
  return first_problem(
      config, [](Problems& problems, const auto& block) { check(problems, block); }, check_system(config));
}

}  // namespace fansim::arch

// SPDX-License-Identifier: Apache-2.0
#include "arch/stream_config.h"

#include <fmt/format.h>

#include "arch/config_file.h"

namespace fansim::arch {
namespace {

using base::YamlMap;

template <class Block>
void check(YamlMap&, const Block&) {}
void check(YamlMap& map, const ArrayConfig& array) {
  if (array.taps() > ArrayConfig::kMaxTaps) {
    map.fail("cols", fmt::format("{} x {} = {} taps; allowed: {} at most", array.rows, array.cols, array.taps(),
                                 ArrayConfig::kMaxTaps));
  }
  if ((array.input_channels & (array.input_channels - 1)) != 0) {
    map.fail("input_channels", fmt::format("input_channels {} must be a power of two", array.input_channels));
  }
  if (array.output_channels % array.input_channels != 0) {
    map.fail("output_channels", fmt::format("output_channels {} must be a multiple of input_channels {}",
                                            array.output_channels, array.input_channels));
  }
  if (map.has("shadow_luts") && array.multiplier != Multiplier::lut_reconfigurable)
    map.fail("shadow_luts", "shadow_luts: only 'multiplier: lut_reconfigurable' has tables to reload");
  if (array.multiplier == Multiplier::dsp48e2_dual_int8 && array.output_channels % 2 != 0) {
    map.fail("output_channels", fmt::format("output_channels {} must be even: dsp48e2_dual_int8 computes two at once",
                                            array.output_channels));
  }
}
void check(YamlMap& map, const AxiConfig& axi) {
  if (axi.data_bits != 64 && axi.data_bits != 128) {
    map.fail("data_bits", fmt::format("data_bits {} is not a port width; allowed: 64 or 128", axi.data_bits));
  }
}
void check(YamlMap& map, const DmaConfig& dma) {
  if (dma.scatter_gather())
    map.fail("mode", "mode scatter_gather: the streaming core's output writer programs DA and LENGTH; allowed: direct");
}
void check(YamlMap& map, const arith::QuantiserFormat& quantiser) {
  if (quantiser.accumulator_bits > 32)
    map.fail("accumulator_bits", fmt::format("accumulator_bits {}: the streaming core's sums have at most 32 bits",
                                             quantiser.accumulator_bits));
  if (quantiser.operand_bits > 32)
    map.fail("operand_bits",
             fmt::format("operand_bits {}: the streaming core's sums have at most 32 bits", quantiser.operand_bits));
}
void check(YamlMap& map, const DdrConfig& ddr) { check_ddr(map, ddr); }

// What one block asks of another.
void check_system(const YamlMap& top, const StreamConfig& config) {
  constexpr int kBiasRecordBytes = 8;  // the longer form, with M and n per channel
  const int pitch = base::round_up(config.array.weight_column_bytes(), config.axi.beat_bytes());
  const int weight_set = pitch * config.array.cols;
  if (config.buffers.weight_half_bytes() < weight_set) {
    top.fail("buffers",
             fmt::format("buffers: weight_kib {} is too small: half of it must hold one weight set of {} bytes",
                         config.buffers.weight_kib, weight_set));
  }
  const int bias_group = config.array.output_channels * kBiasRecordBytes;
  if (config.buffers.bias_half_bytes() < bias_group) {
    top.fail("buffers", fmt::format("buffers: bias_kib {} is too small: half of it must hold {} bytes",
                                    config.buffers.bias_kib, bias_group));
  }
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
    read_block(top, key, block, [](YamlMap& map, const auto& b) { check(map, b); });
  });
  top.finish();
  check_system(top, config);
  config.hash = hash_of(config);
  return config;
}

}  // namespace fansim::arch

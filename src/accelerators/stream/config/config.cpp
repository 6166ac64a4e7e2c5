// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/config/config.h"

#include <fmt/format.h>

#include <algorithm>

#include "contract/load_config.h"

namespace fansim::stream {
namespace {

using base::YamlMap;

struct Rules : contract::BlockRules {
  using BlockRules::check, BlockRules::check_file;

  static void check(contract::Problems& problems, const ArrayConfig& array) {
    if (array.taps() > ArrayConfig::kMaxTaps)
      problems.push_back({"cols", fmt::format("{} x {} = {} taps; allowed: {} at most", array.rows, array.cols,
                                              array.taps(), ArrayConfig::kMaxTaps)});
    if ((array.input_channels & (array.input_channels - 1)) != 0)
      problems.push_back(
          {"input_channels", fmt::format("input_channels {} must be a power of two", array.input_channels)});
    if (array.output_channels % array.input_channels != 0)
      problems.push_back({"output_channels", fmt::format("output_channels {} must be a multiple of input_channels {}",
                                                         array.output_channels, array.input_channels)});
    if (array.shadow_luts_said && !array.reloads())
      problems.push_back(
          {"shadow_luts", "shadow_luts: only 'multiplier: lut_reconfigurable' and 'lut_kernel' have tables to reload"});
    const auto width = [&problems](const char* key, int bits) {
      if (bits != 8 && bits != 12 && bits != 16)
        problems.push_back({key, fmt::format("{} {} is not a width of the array; allowed: 8, 12 or 16", key, bits)});
    };
    width("operand_bits", array.operand_bits);
    if (array.coefficient_bits != 0) width("coefficient_bits", array.coefficient_bits);
    if (array.coefficient_bits_said && !array.kernels())
      problems.push_back(
          {"coefficient_bits", "coefficient_bits: only 'multiplier: lut_kernel' has coefficients of their own width"});
    if (array.operand_bits > 8 && !array.kernels() && array.multiplier != Multiplier::dsp48e2)
      problems.push_back(
          {"operand_bits", fmt::format("operand_bits {}: this multiplier is one of 8 bits; allowed: 'multiplier: "
                                       "dsp48e2', one product per slice, or 'lut_kernel'",
                                       array.operand_bits)});
    if (array.word_bytes() > ArrayConfig::kMaxWordBytes)
      problems.push_back(
          {"input_channels",
           fmt::format("input_channels {} of operand_bits {} make a word of {} bytes; allowed: {} at "
                       "most",
                       array.input_channels, array.operand_bits, array.word_bytes(), ArrayConfig::kMaxWordBytes)});
    if (array.rounds() && !arith::LutKernel(array.kernel().format).error_bounded())
      problems.push_back(
          {"rounding", fmt::format("rounding faithful: the error of {} products of {} x {} bits is not "
                                   "proved to be within one unit; 'full' has none",
                                   array.kernel().format.inputs, array.operand_bits, array.weight_bits())});
    if (array.rounding_said && !array.kernels())
      problems.push_back({"rounding", "rounding: only 'multiplier: lut_kernel' sums in kernels that round"});
    for (const auto& [said, key] : {std::pair{array.terms_said, "terms"}, std::pair{array.shared_said, "shared"}})
      if (said && !array.chains())
        problems.push_back({key, fmt::format("{}: only 'multiplier: dsp48e2_int8_chain' has chains", key)});
    if (array.code_table && array.operand_bits > 8)
      problems.push_back({"code_table", fmt::format("code_table: its codes have 8 bits, operand_bits {}; allowed: 8",
                                                    array.operand_bits)});
    if (array.even_outputs() && array.output_channels % 2 != 0)
      problems.push_back(
          {"output_channels",
           fmt::format("output_channels {} must be even: a slice computes two at once", array.output_channels)});
  }
  static void check(contract::Problems& problems, const contract::AxiConfig& axi) {
    if (axi.data_bits != 32 && axi.data_bits != 64 && axi.data_bits != 128)
      problems.push_back(
          {"data_bits", fmt::format("data_bits {} is not a port width: the packer makes beats of 16 bytes "
                                    "at most; allowed: 32, 64 or 128",
                                    axi.data_bits)});
  }
  static void check(contract::Problems& problems, const contract::DmaConfig& dma) {
    if (dma.scatter_gather())
      problems.push_back(
          {"mode", "mode scatter_gather: the streaming core's output writer programs DA and LENGTH; allowed: direct"});
  }
  static void check(contract::Problems& problems, const arith::QuantiserFormat& quantiser) {
    const auto most = [&problems](const char* key, int bits) {
      if (bits > 32)
        problems.push_back({key, fmt::format("{} {}: the streaming core's sums have at most 32 bits", key, bits)});
    };
    most("accumulator_bits", quantiser.accumulator_bits);
    most("operand_bits", quantiser.operand_bits);
  }

  // Checks what a file says beyond its values, such as keys that its multiplier does not use.
  static void check_file(YamlMap& map, ArrayConfig& array) {
    const ArrayConfig unsaid;
    array.shadow_luts_said = map.has("shadow_luts") && array.shadow_luts != unsaid.shadow_luts;
    array.rounding_said = map.has("rounding") && array.rounding != unsaid.rounding;
    array.coefficient_bits_said = map.has("coefficient_bits") && array.coefficient_bits != unsaid.coefficient_bits;
    array.terms_said = map.has("terms") && array.terms != unsaid.terms;
    array.shared_said = map.has("shared") && array.shared != unsaid.shared;
  }

  // Checks requirements between blocks.
  static contract::Problems between(const Config& config) {
    contract::Problems problems;
    const int pitch = base::round_up(config.array.weight_column_bytes(), config.axi.beat_bytes());
    const int weight_set = pitch * config.array.cols;
    if (config.buffers.weight_half_bytes() < weight_set)
      problems.push_back(
          {"buffers",
           fmt::format("buffers: weight_kib {} is too small: half of it must hold one weight set of {} bytes",
                       config.buffers.weight_kib, weight_set)});
    const int bias_group = config.array.output_channels * BufferConfig::kBiasRecordBytes;
    if (config.buffers.bias_half_bytes() < bias_group)
      problems.push_back({"buffers", fmt::format("buffers: bias_kib {} is too small: half of it must hold {} bytes",
                                                 config.buffers.bias_kib, bias_group)});
    check_memory(problems, "axi", config.ddr, config.memory_ports());
    return problems;
  }
};

}  // namespace

Config Config::read(const std::string& path, const std::vector<std::string>& overrides) {
  auto config = contract::load_config<Config, Rules>(path, overrides);
  config.schedule.block_steps_by_hand = std::any_of(overrides.begin(), overrides.end(), [](const std::string& setting) {
    return setting.rfind("schedule.lstm_block_steps=", 0) == 0;
  });
  return config;
}

std::string refusal(const Config& config) { return contract::first_refusal<Rules>(config); }

void add_idle(contract::IdleKeys& idle, const Config& c) {
  if (!c.array.reloads())
    contract::add_idle(idle, "array", {"shadow_luts"},
                       "only 'lut_reconfigurable' and 'lut_kernel' have tables to reload");
  if (!c.array.kernels())
    contract::add_idle(idle, "array", {"rounding", "coefficient_bits"}, "only 'multiplier: lut_kernel' has kernels");
  if (!c.array.chains())
    contract::add_idle(idle, "array", {"terms", "shared"}, "only 'multiplier: dsp48e2_int8_chain' has chains");
  contract::add_above(idle, "array.terms", c.array.terms, c.array.cols * c.array.input_channels,
                      "a tap row has cols x input_channels products");
  contract::add_above(idle, "axi.burst_beats", c.axi.burst_beats, c.axi.most_burst_beats(), "a burst ends at 4 KiB");
}

}  // namespace fansim::stream

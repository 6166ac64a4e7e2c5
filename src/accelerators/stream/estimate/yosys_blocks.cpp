// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/estimate/yosys_blocks.h"

#include <algorithm>

#include "accelerators/stream/config/buffer_ports.h"
#include "accelerators/stream/estimate/buffers.h"
#include "base/units.h"
#include "estimate/coefficients.h"
#include "estimate/twins.h"

namespace fansim::stream {
namespace {

using contract::Resources;

Resources twin(const char* name, const estimate::Parameters& parameters) {
  return estimate::twin_use(name, parameters).resources();
}

estimate::Parameters array_of(const Config& c) {
  return {{"ROWS", c.array.rows},
          {"COLS", c.array.cols},
          {"INPUT_CHANNELS", c.array.input_channels},
          {"OUTPUT_CHANNELS", c.array.output_channels}};
}

// The twins have channels of one byte. Where a block only moves bytes, a channel of two bytes counts as two channels.
estimate::Parameters channel_bytes(const Config& c) {
  return {{"INPUT_CHANNELS", c.array.word_bytes()}, {"OUTPUT_CHANNELS", c.array.pixel_bytes()}};
}

estimate::Parameters array_bytes(const Config& c, int value_bytes) {
  estimate::Parameters array = array_of(c);
  array["INPUT_CHANNELS"] *= value_bytes;
  return array;
}

estimate::Parameters with(estimate::Parameters parameters, const estimate::Parameters& more) {
  parameters.insert(more.begin(), more.end());
  return parameters;
}

// The twins' memories are block RAM; distributed memories are counted.
Resources buffer(const contract::BufferPorts& ports, RamStyle style, int kib, int resident_kib = 0) {
  if (style == RamStyle::distributed) return memory_use(kib, ports, style);
  return twin("ping_pong", {{"WRITE_BYTES", ports.write_bytes},
                            {"READ_BYTES", ports.read_bytes},
                            {"HALF_BYTES", kib * 512},
                            {"RESIDENT_BYTES", resident_kib * 1024}});
}

Resources control(const Config& c) {
  Resources use = twin("command_registers", {{"CODE_TABLE", c.array.code_table}});
  use += twin("job_store", {{"READERS", 5 + c.array.code_table}});
  return use += twin("sequencer", {{"ROWS", c.array.rows}, {"COLS", c.array.cols}});
}

Resources receivers(const Config& c) {
  Resources use;
  for (const int kib : {c.buffers.input_kib, c.buffers.weight_kib, c.buffers.bias_kib}) {
    const int beats = base::ceil_div(kib * 512, c.axi.beat_bytes());
    use += twin("stream_receiver", {{"BEAT_BYTES", c.axi.beat_bytes()}, {"ADDRESS_BITS", base::ceil_log2(beats)}});
  }
  return use;
}

Resources weights(const Config& c, int resident_kib) {
  return buffer(weight_ports(c), RamStyle::block, c.buffers.weight_kib, resident_kib);
}

// Returns what the resident store adds to the weight buffer, with which it forms one twin.
Resources resident(const Config& c) {
  Resources use = weights(c, c.buffers.resident_kib);
  const Resources without = weights(c, 0);
  return use += {-without.dsp, -without.lut, -without.ff, -without.bram36};
}

// The numbers are those of tests/rtl/mac_array.v.
int multiplier(const Config& c) {
  switch (c.array.multiplier) {
    case Multiplier::dsp48e2:
      return 0;
    case Multiplier::dsp48e2_dual_int8:
      return 1;
    case Multiplier::lut:
      return 2;
    case Multiplier::lut_reconfigurable:
      return 3;
    case Multiplier::dsp48e2_int8_chain:
      return 4;
    case Multiplier::lut_kernel:
      break;
  }
  return 5;
}

Resources mac_array(const Config& c) {
  Resources use = twin("mac_array", with(array_of(c), {{"MULTIPLIER", multiplier(c)},
                                                       {"SHADOW", c.array.shadow_luts ? 1 : 0},
                                                       {"TERMS", c.array.terms},
                                                       {"SHARED_WEIGHT", c.array.pairs_windows() ? 1 : 0},
                                                       {"FAITHFUL", c.array.rounds() ? 1 : 0}}));
  return use += twin("weight_reader", array_bytes(c, c.array.weight_bytes()));
}

// Sums carry no more bits than the accumulator keeps.
int sum_bits(const Config& c) {
  const int tree = c.array.term_bits() + base::ceil_log2(c.array.row_terms()) + base::ceil_log2(c.array.rows);
  return std::min(tree, c.quantiser.accumulator_bits);
}

Resources adder_tree(const Config& c) {
  const ArrayConfig& a = c.array;
  if (a.kernels())
    return twin("adder_tree",
                with(array_of(c), {{"SUM_BITS", sum_bits(c)}, {"KERNELS", 1}, {"FAITHFUL", a.rounds() ? 1 : 0}}));
  const bool products = !a.chains() && !a.wide();
  return twin("adder_tree", with(array_of(c), {{"SUM_BITS", sum_bits(c)},
                                               {"CHAINS", products ? 0 : a.row_terms()},
                                               {"TERM_BITS", a.term_bits()}}));
}

Resources accumulator(const Config& c) {
  return twin("accumulator", with(array_of(c), {{"ACCUMULATOR_DEPTH", c.array.accumulator_depth},
                                                {"ACCUMULATOR_BITS", c.quantiser.accumulator_bits},
                                                {"SUM_BITS", sum_bits(c)}}));
}

Resources quantiser(const Config& c) {
  return twin("quantiser", {{"OUTPUT_CHANNELS", c.array.output_channels},
                            {"ACCUMULATOR_BITS", c.quantiser.accumulator_bits},
                            {"OPERAND_BITS", c.quantiser.operand_bits},
                            {"HALF_UP", c.quantiser.rounding == arith::Rounding::half_up ? 1 : 0}});
}

Resources pooling(const Config& c) {
  return twin("pooling", {{"OUTPUT_CHANNELS", c.array.output_channels},
                          {"KERNEL", c.pooling.kernel},
                          {"OPEN", c.pooling.lines},
                          {"DEPTH", c.pooling.line_words}});
}

Resources recurrent(const Config& c) {
  constexpr int kBlocks = estimate::coefficients::kHiddenWords / 2;
  Resources use = twin(
      "recurrent_cell",
      {{"OUTPUT_CHANNELS", c.array.output_channels}, {"BLOCKS", kBlocks}, {"REQUANTISE", c.array.hidden_requantise}});
  use += twin("hidden_state", with(channel_bytes(c), {{"BLOCKS", kBlocks}}));
  return use += twin("activation", {{"OUTPUT_CHANNELS", c.array.output_channels}});
}

int output_pixels(const Config& c) { return base::ceil_log2(c.buffers.output_half_bytes() / c.array.pixel_bytes()); }

Resources output_buffer(const Config& c) {
  Resources use = buffer(output_ports(c), c.buffers.styles.output, c.buffers.output_kib);
  return use += twin("output_store", {{"OUTPUT_CHANNELS", c.array.pixel_bytes()}, {"ADDRESS_BITS", output_pixels(c)}});
}

Resources writer(const Config& c) {
  Resources use = twin("output_writer", with(channel_bytes(c), {{"ADDRESS_BITS", output_pixels(c)}}));
  return use += twin("packer", {{"BEAT_BYTES", c.axi.beat_bytes()}, {"WORD_BYTES", c.array.word_bytes()}});
}

}  // namespace

std::optional<Resources> yosys_use(const std::string& block, const Config& c) {
  const BufferConfig& b = c.buffers;
  // The twins of these blocks compute with bytes.
  const bool computes = block == "quantiser" || block == "pooling" || block == "mac_array" ||
                        (block == "adder_tree" && c.array.kernels());
  if (computes && c.array.wide()) return std::nullopt;
  if (block == "control") return control(c);
  if (block == "receivers") return receivers(c);
  if (block == "input_buffer") return buffer(input_ports(c), b.styles.input, b.input_kib);
  if (block == "weight_buffer" && b.styles.weight == RamStyle::block) return weights(c, 0);
  if (block == "resident_store" && b.styles.resident == RamStyle::block) return resident(c);
  if (block == "bias_buffer" && b.styles.bias == RamStyle::block)
    return twin("bias_buffer", {{"OUTPUT_CHANNELS", c.array.output_channels},
                                {"BEAT_BYTES", c.axi.beat_bytes()},
                                {"HALF_BYTES", b.bias_half_bytes()}});
  if (block == "line_buffers" && c.array.line_memory == LineMemory::srl)
    return twin("line_buffer", with(array_bytes(c, c.array.value_bytes()), {{"LINE_COLUMNS", c.array.line_columns}}));
  if (block == "sliding_window") return twin("sliding_window", array_bytes(c, c.array.value_bytes()));
  if (block == "mac_array") return mac_array(c);
  if (block == "adder_tree") return adder_tree(c);
  if (block == "accumulator") return accumulator(c);
  if (block == "quantiser") return quantiser(c);
  if (block == "code_table") return twin("code_table", {{"OUTPUT_CHANNELS", c.array.output_channels}});
  if (block == "pooling") return pooling(c);
  if (block == "recurrent_cell") return recurrent(c);
  if (block == "output_buffer") return output_buffer(c);
  if (block == "writer") return writer(c);
  return std::nullopt;
}

}  // namespace fansim::stream

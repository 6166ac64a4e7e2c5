// SPDX-License-Identifier: Apache-2.0
#include "random/random_case.h"

#include <fmt/format.h>

#include <algorithm>

#include "accelerators/stream/config/config.h"
#include "base/random.h"
#include "random/random_memory.h"

namespace fansim::test {

namespace {

using base::Random;

template <std::size_t N>
const char* one_of(Random& random, const char* const (&words)[N]) {
  return words[random.uniform(0, static_cast<int>(N) - 1)];
}

// Small numbers most of the time, now and then one from the whole range.
int number(Random& random, int lo, int usual, int most) { return random.uniform(lo, random.chance(80) ? usual : most); }

void array_settings(Random& random, std::vector<std::string>& set) {
  struct Shape {
    int rows, cols, input_channels, output_channels;
  };
  constexpr Shape kShapes[] = {{3, 3, 8, 8}, {3, 3, 8, 16}, {5, 5, 4, 8},   {2, 2, 8, 8}, {1, 1, 8, 16},
                               {3, 4, 2, 6}, {6, 3, 4, 4},  {1, 3, 16, 16}, {4, 1, 8, 8}, {3, 3, 1, 4}};
  const Shape& s = kShapes[random.uniform(0, 9)];
  set.push_back(fmt::format("array.rows={}", s.rows));
  set.push_back(fmt::format("array.cols={}", s.cols));
  set.push_back(fmt::format("array.input_channels={}", s.input_channels));
  set.push_back(fmt::format("array.output_channels={}", s.output_channels));
  set.push_back(fmt::format("array.accumulator_depth={}", 16 * random.uniform(16, 64)));
  set.push_back(fmt::format("array.multiplier={}", one_of(random, {"dsp48e2", "dsp48e2_dual_int8", "dsp48e2_int8_chain",
                                                                   "lut", "lut_reconfigurable", "lut_kernel"})));
  if (set.back() == "array.multiplier=lut_reconfigurable" || set.back() == "array.multiplier=lut_kernel")
    set.push_back(fmt::format("array.shadow_luts={}", one_of(random, {"true", "false"})));
}

void memory_settings(Random& random, std::vector<std::string>& set) {
  set.push_back(fmt::format("axi.data_bits={}", one_of(random, {"64", "128", "32"})));
  set.push_back(fmt::format("axi.burst_beats={}", number(random, 1, 32, 256)));
  set.push_back(fmt::format("axi.outstanding={}", number(random, 1, 8, 32)));
  set.push_back(fmt::format("dma.mm2s_start={}", number(random, 1, 12, 60)));
  set.push_back(fmt::format("dma.mm2s_stream={}", number(random, 1, 12, 60)));
  set.push_back(fmt::format("dma.s2mm_start={}", number(random, 1, 12, 60)));
  set.push_back(fmt::format("dma.s2mm_store={}", number(random, 1, 12, 60)));
  set.push_back(fmt::format("dma.s2mm_gap={}", random.chance(60) ? 0 : random.uniform(1, 40)));
  set.push_back(fmt::format("ddr.fidelity={}", one_of(random, {"ideal", "fixed", "fixed", "banked"})));
  set.push_back(fmt::format("ddr.write_latency={}", random.uniform(20, 60)));
  if (set[set.size() - 2] != "ddr.fidelity=banked") {
    set.push_back(fmt::format("ddr.read_latency={}", number(random, 1, 80, 300)));
    set.push_back(fmt::format("ddr.turnaround={}", number(random, 0, 12, 60)));
    set.push_back(fmt::format("ddr.refresh_interval={}", number(random, 150, 600, 2000)));
    set.push_back(fmt::format("ddr.refresh_cycles={}", number(random, 0, 60, 140)));
    return;
  }
  set.push_back(fmt::format("clock_mhz={}", one_of(random, {"250", "200", "1000/3", "1600/3", "99"})));
  set.push_back(fmt::format("ddr.request_latency={}", random.uniform(0, 20)));
  set.push_back(fmt::format("ddr.response_latency={}", random.uniform(0, 20)));
  set.push_back(fmt::format("ddr.part.mapping={}", one_of(random, {"zcu102_rev_1_0", "preset"})));
  set.push_back(fmt::format("ddr.part.page_policy={}", one_of(random, {"open", "closed", "adaptive"})));
  set.push_back(fmt::format("ddr.part.posted_writes={}", one_of(random, {"true", "false"})));
  set.push_back(fmt::format("ddr.part.trefi={}", number(random, 1000, 3000, 8320)));
  set.push_back(fmt::format("ddr.part.trfc={}", random.chance(20) ? 0 : random.uniform(100, 400)));
  set.push_back(fmt::format("ddr.part.row_hit_limit={}", random.uniform(1, 8)));
  set.push_back(fmt::format("ddr.part.starvation_bound={}", number(random, 16, 300, 4096)));
  set.push_back(fmt::format("ddr.part.write_low={}", random.uniform(0, 20)));
  set.push_back(fmt::format("ddr.part.read_queue={}", number(random, 1, 40, 40)));
  const int write_queue = random.uniform(24, 40);
  set.push_back(fmt::format("ddr.part.write_queue={}", write_queue));
  set.push_back("ddr.part.write_high=24");
  // Writes go by the length of their queue, or by how long they have waited.
  set.push_back(fmt::format("ddr.part.write_starve={}", write_queue % 2 == 0 ? 0 : 128));
}

// A host without delay leaves the hardware's own hand-overs to prove themselves.
void host_settings(Random& random, std::vector<std::string>& set) {
  const bool fast = random.chance(60);
  const auto cycles = [&](int lo, int hi) { return random.uniform(lo, fast ? 3 + lo : hi); };
  set.push_back(fmt::format("host.register_write={}", cycles(0, 30)));
  set.push_back(fmt::format("host.register_read={}", cycles(1, 50)));
  set.push_back(fmt::format("host.interrupt={}", cycles(0, 500)));
  set.push_back(fmt::format("host.dma_setup={}", cycles(0, 1000)));
  set.push_back(fmt::format("host.layer_setup={}", cycles(0, 300)));
  // As a file has them: the machine may hold fewer steps.
  const char* order = one_of(random, {"thesis", "least_traffic"});
  set.push_back(fmt::format("schedule={{loop_order: {}, lstm_block_steps: {}}}", order, random.uniform(1, 12)));
  if (random.chance(30)) set.push_back(fmt::format("buffers.output_kib={}", random.uniform(2, 8)));
  if (random.chance(30)) set.push_back(fmt::format("buffers.input_kib={}", random.uniform(4, 12)));
  if (random.chance(30)) set.push_back(fmt::format("buffers.weight_kib={}", random.uniform(24, 48)));
  if (random.chance(30)) set.push_back("buffers.resident_kib=0");
  if (random.chance(5)) set.push_back("axi.pins=true");
}

// Draws chains as long as the signs allow, and now and then longer ones.
void chain_settings(std::uint64_t seed, bool is_unsigned, std::vector<std::string>& set) {
  if (std::find(set.begin(), set.end(), "array.multiplier=dsp48e2_int8_chain") == set.end()) return;
  Random random(seed, "chains");
  set.push_back(fmt::format("array.terms={}", random.uniform(2, is_unsigned && random.chance(90) ? 4 : 8)));
  set.push_back(fmt::format("array.shared={}", one_of(random, {"activation", "weight"})));
}

// Draws kernels that round, now and then for a layer that needs exact sums.
void rounding_settings(std::uint64_t seed, bool map, std::vector<std::string>& set) {
  if (std::find(set.begin(), set.end(), "array.multiplier=lut_kernel") == set.end()) return;
  Random random(seed, "rounding");
  if (random.chance(map ? 50 : 5)) set.push_back("array.rounding=faithful");
}

// Draws values of two bytes if multiplier and words have room for them, now and then for a layer that does not support
// them.
void width_settings(std::uint64_t seed, bool map, std::vector<std::string>& set) {
  const auto has = [&set](const char* setting) { return std::find(set.begin(), set.end(), setting) != set.end(); };
  const bool kernels = has("array.multiplier=lut_kernel");
  if ((!kernels && !has("array.multiplier=dsp48e2")) || has("array.input_channels=16")) return;
  Random random(seed, "widths of values");
  if (!random.chance(map ? 60 : 10)) return;
  set.push_back(fmt::format("array.operand_bits={}", one_of(random, {"8", "12", "16"})));
  if (kernels) set.push_back(fmt::format("array.coefficient_bits={}", one_of(random, {"0", "8", "12", "16"})));
}

// Draws a code table if codes have 8 bits; returns whether there is one.
bool table_settings(std::uint64_t seed, std::vector<std::string>& set) {
  const auto is_wide = [](const std::string& s) {
    return s == "array.operand_bits=12" || s == "array.operand_bits=16";
  };
  Random random(seed, "code table");
  if (std::any_of(set.begin(), set.end(), is_wide) || !random.chance(50)) return false;
  set.push_back("array.code_table=true");
  return true;
}

// Draws what memories are made of.
void memory_settings(std::uint64_t seed, std::vector<std::string>& set) {
  Random random(seed, "memories");
  set.push_back(fmt::format("array.line_memory={}", one_of(random, {"srl", "srl", "ff", "block", "block"})));
  for (const char* buffer : {"input", "weight", "resident", "bias", "output"})
    if (random.chance(30)) set.push_back(fmt::format("buffers.{}_ram_style=distributed", buffer));
}

// Draws line memories that hold a pooled row of any layer below, for a few groups of output channels at a time or for
// all.
void pooling_settings(Random& random, std::vector<std::string>& set) {
  set.push_back("pooling.kernel=5");
  set.push_back("pooling.lines=5");
  set.push_back(fmt::format("pooling.line_words={}", number(random, 26, 80, 400)));
}

// Draws memories that are now and then too small for a layer.
void size_settings(Random& random, std::vector<std::string>& set) {
  if (random.chance(40)) set.push_back(fmt::format("buffers.bias_kib={}", number(random, 2, 6, 16)));
  if (random.chance(40)) set.push_back(fmt::format("array.line_columns={}", number(random, 12, 60, 300)));
}

// `rare` is a stream of its own, for what few layers have: it leaves the other draws of a seed what they have always
// been.
std::string convolution(Random& random, Random& rare, int index) {
  const int kernel = random.chance(70) ? random.uniform(1, 4) : random.uniform(5, 9);
  const int groups = random.chance(70) ? 1 : random.chance(50) ? 12 : random.uniform(2, 4);
  const int filters = groups * random.uniform(1, groups == 12 ? 2 : random.chance(80) ? 40 / groups : 200 / groups);
  const int stride = random.uniform(1, 3);
  const int beyond = rare.chance(10) ? kernel + rare.uniform(0, 5) : 0;
  std::vector<int> padding;
  for (int side = 0; side < 4; ++side) padding.push_back(beyond + random.uniform(0, kernel / 2));
  std::string text = fmt::format(
      "  - {{name: l{}, input_from: input, type: conv, filters: {}, kernel: {}, stride: {}, groups: {}, "
      "padding: [{}]{}}}\n",
      index, filters, kernel, stride, groups, fmt::join(padding, ", "), random.chance(50) ? ", activation: relu" : "");
  const bool at_least_three = kernel <= 4 && stride <= 2;  // rows and columns, of an input of nine
  if (!at_least_three || random.chance(50)) return text;
  const int window = random.uniform(2, 3), step = random.uniform(1, 2), border = random.uniform(0, 1);
  return text + fmt::format("  - {{name: p{}, type: maxpool, kernel: {}, stride: {}, padding: {}, ceil_mode: {}}}\n",
                            index, window, step, border, one_of(random, {"true", "false"}));
}

std::string map_layer(Random& random, Random& rare, int index) {
  const std::string from = fmt::format("  - {{name: l{}, input_from: input, type: ", index);
  const int kind = random.uniform(0, 9);
  if (kind == 0) return from + fmt::format("fc, units: {}}}\n", number(random, 1, 60, 300));
  if (kind == 1) {
    const int size = random.uniform(1, 5);
    return from +
           fmt::format("avgpool, kernel: {}, stride: {}, padding: {}}}\n", size, random.uniform(1, size), size / 2);
  }
  if (kind == 2) {
    const int size = random.uniform(2, 5), stride = random.uniform(1, size);
    return from + fmt::format("maxpool, kernel: {}, stride: {}, padding: {}, ceil_mode: {}}}\n", size, stride, size / 2,
                              one_of(random, {"true", "false"}));
  }
  if (kind == 3) return from + (random.chance(50) ? "relu}\n" : "add, with: input}\n");
  return convolution(random, rare, index);
}

// `scale` draws the hidden state's: one that the machine's cell has, but now and then.
std::string sequence_layer(Random& random, Random& scale, bool scales, int index, int steps) {
  const char* type = one_of(random, {"lstm", "gru"});
  const int hidden = number(random, 1, 40, 90);
  std::string quant;
  if (type == std::string("lstm") && scale.chance(scales ? 70 : 5))
    quant = fmt::format(", hidden_quant: {{scale: {}, shift: {}}}", scale.uniform(1, scale.chance(50) ? 32767 : 300),
                        scale.uniform(0, scale.chance(10) ? 31 : 14));
  return fmt::format("  - {{name: l{}, input_from: input, type: {}, hidden: {}, steps: {}{}}}\n", index, type, hidden,
                     steps, quant);
}

// A random configuration may be none.
void leave_out_idle(Case& c) {
  try {
    const std::string base = std::string(FANSIM_SOURCE_DIR "/") + c.base;
    test::leave_out_idle(stream::Config::read(base, c.settings), c.settings);
  } catch (const base::UserError&) {
  }
}

}  // namespace

Case random_stream_case(std::uint64_t seed) {
  constexpr int kLayers = 10;
  Random random(seed);
  Case result;
  result.base = "configs/systems/zcu102_stream.yaml";
  array_settings(random, result.settings);
  memory_settings(random, result.settings);
  host_settings(random, result.settings);
  Random pooling(seed, "pooling");  // a stream of its own, so that all other draws stay the same
  pooling_settings(pooling, result.settings);
  Random sizes(seed, "sizes");
  size_settings(sizes, result.settings);
  give_costs_as_times(seed, result);
  if (random.chance(20)) {
    const int steps = random.uniform(1, 9);
    Random scale(seed, "hidden state");
    const bool scales = scale.chance(60);
    if (scales) result.settings.push_back("array.hidden_requantise=true");
    result.input = fmt::format("{{steps: {}, features: {}}}", steps, number(random, 1, 60, 200));
    chain_settings(seed, false, result.settings);
    rounding_settings(seed, false, result.settings);
    width_settings(seed, false, result.settings);
    memory_settings(seed, result.settings);
    table_settings(seed, result.settings);
    for (int i = 0; i < kLayers / 2; ++i) result.layers.push_back(sequence_layer(random, scale, scales, i, steps));
    add_share(seed, result);
    leave_out_idle(result);
    return result;
  }
  const bool is_unsigned = random.chance(50);
  chain_settings(seed, is_unsigned, result.settings);
  rounding_settings(seed, true, result.settings);
  width_settings(seed, true, result.settings);
  memory_settings(seed, result.settings);
  const int height = random.uniform(9, 24), width = random.uniform(9, 24);
  result.input = fmt::format("{{shape: [12, {}, {}], type: {}, zero_point: {}, step: 0.05}}", height, width,
                             is_unsigned ? "uint8" : "int8",
                             random.chance(50) ? 0
                             : is_unsigned     ? random.uniform(0, 255)
                                               : random.uniform(-128, 127));
  Random rare(seed, "rare");
  for (int i = 0; i < kLayers; ++i) result.layers.push_back(map_layer(random, rare, i));
  add_host_layers(seed, {}, result);
  if (table_settings(seed, result.settings))
    add_looked_up_layers(seed, {"type: add, with: input}", "type: avgpool, kernel: 3}"}, result);
  add_concatenations(seed, result);
  add_sums(seed, true, result);
  // The quantiser gets the narrowest operand that passes all unscaled values, and now and then a narrower one. A stream
  // of their own leaves the seed's other draws unchanged.
  Random widths(seed, "quantiser");
  const int least = widths.chance(95) ? 10 : 8;
  if (widths.chance(30))
    result.settings.push_back(fmt::format("quantiser.accumulator_bits={}", widths.uniform(least, 32)));
  if (widths.chance(30)) result.settings.push_back(fmt::format("quantiser.operand_bits={}", widths.uniform(least, 32)));
  Random rest(seed, "rest");
  if (rest.chance(30)) result.settings.push_back("quantiser.rounding=half_up");
  if (rest.chance(30)) result.settings.push_back(fmt::format("dma.length_bits={}", rest.uniform(15, 26)));
  add_share(seed, result);
  leave_out_idle(result);
  return result;
}

}  // namespace fansim::test

// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/estimate/paths.h"

#include <algorithm>

#include "accelerators/stream/config/buffer_ports.h"
#include "accelerators/stream/estimate/buffers.h"
#include "base/units.h"
#include "estimate/code_table.h"
#include "estimate/coefficients.h"

namespace fansim::stream {
namespace {

namespace k = estimate::coefficients;
using contract::Resources;
using estimate::clbs;
using estimate::Path;
using estimate::Terminal;
using Paths = std::vector<Path>;

constexpr int kProductBits = 16, kScaleBits = 15;

// The comparison of 14 bits takes two LUTs, combining six loops two, and the counters' enable one.
Paths control() {
  constexpr int kBits = k::kNestCounterBits;
  return {Path{"end of the loop nest", 5}.across(clbs({0, static_cast<int>(kBits * k::kLutPerControlBit), kBits, 0}))};
}

Paths line_buffers(const Config& c, const Resources& use) {
  if (c.array.line_memory == LineMemory::block) {
    return {
        Path{"address to every line", 2}.across(clbs(use)).between(Terminal::register_, Terminal::bram),
        Path{"line of the row", 1 + estimate::mux_levels(c.array.rows)}.between(Terminal::bram, Terminal::register_)};
  }
  const bool srl = c.array.line_memory == LineMemory::srl;
  const int taps = srl ? base::ceil_div(c.array.line_columns, k::kSrlDepth) : c.array.line_columns;
  return {Path{"tap of the running depth", (srl ? 2 : 1) + estimate::mux_levels(taps)},
          Path{"shift enable", 2}.across(clbs(use))};
}

// A byte of the window must reach the multipliers of every output channel.
Paths sliding_window(const Config& c, const Resources& array) {
  return {Path{"window to every output channel"}
              .across(clbs(array) / c.array.window_values())
              .between(Terminal::register_, c.array.uses_dsp() ? Terminal::dsp : Terminal::register_)};
}

// One handshake stalls multipliers and adders together.
Paths mac_array(const Config& c, const Resources& array, const Resources& tree) {
  Paths paths{Path{"stall of the array", 2}.across(clbs(array) + clbs(tree))};
  // The path passes the sums of four pairs of rows, or joins the two slices of a coefficient.
  if (c.array.multiplier == Multiplier::lut) paths.push_back(Path{"product of row pairs", 2}.add(12 + kProductBits, 2));
  if (c.array.multiplier == Multiplier::lut_reconfigurable) paths.push_back(Path{"slices joined", 2}.add(kProductBits));
  return paths;
}

Paths adder_tree(const Config& c) {
  const int bits = std::min(c.array.term_bits() + base::ceil_log2(std::max(2, c.array.rows * c.array.row_terms())),
                            c.quantiser.accumulator_bits);
  return {Path{"sum of the last level", 1}.add(bits)};
}

Paths accumulator(const Config& c, const Resources& use) {
  return {Path{"read, add, write back", 2}.add(c.quantiser.accumulator_bits).between(Terminal::bram, Terminal::bram),
          Path{"address to every block RAM", 2}.across(clbs(use)).between(Terminal::register_, Terminal::bram),
          estimate::read_path(c.array.accumulator_depth / c.array.rows)};
}

Paths quantiser(const Config& c) {
  const int product = c.quantiser.operand_bits + kScaleBits;
  const bool rounds = c.quantiser.rounding == arith::Rounding::half_up;
  Paths paths{Path{"shift and round", rounds ? 4 : 3}.add(rounds ? product : 0, rounds),
              Path{"zero point and clamp", 3}.add(c.array.operand_bits + 1)};
  if (c.array.uses_dsp()) {
    paths.push_back(Path{"scale"}.multiply(base::ceil_div(c.quantiser.operand_bits, c.device.dsp_operand_bits())));
  } else {
    // The path passes eight pairs of rows, then three levels of sums.
    paths.push_back(Path{"scale in LUTs", 4}.add(4 * (product + 16) / 2, 4));
  }
  return paths;
}

Paths pooling(const Config& c) {
  return {Path{"maximum with the line memory", 2 + estimate::mux_levels(c.pooling.lines)}
              .add(c.array.operand_bits)
              .between(Terminal::bram, Terminal::bram)};
}

Paths recurrent_cell() {
  return {Path{"sum of the products and saturation", 3}.add(32).between(Terminal::dsp, Terminal::register_)};
}

// The aligner can move any byte of a word to any byte of a beat.
Paths writer(const Config& c) {
  return {Path{"aligner", 1 + estimate::mux_levels(c.axi.beat_bytes() + c.array.word_bytes())}};
}

}  // namespace

void add_paths(const Config& c, std::vector<estimate::BlockUse>& blocks) {
  const auto use_of = [&blocks](const char* name) {
    const auto found = std::find_if(blocks.begin(), blocks.end(), [name](const auto& b) { return b.name == name; });
    return found->use;
  };
  const BufferConfig& b = c.buffers;
  const Resources array = use_of("mac_array");
  for (estimate::BlockUse& block : blocks) {
    const std::string& name = block.name;
    const auto buffer = [&](int kib, const contract::BufferPorts& ports, RamStyle style) {
      block.paths = memory_paths(kib, ports, style, block.use);
    };
    if (name == "control") block.paths = control();
    if (name == "receivers") block.paths = {Path{"address", 2}.add(28)};
    if (name == "input_buffer") buffer(b.input_kib, input_ports(c), b.styles.input);
    if (name == "weight_buffer") buffer(b.weight_kib, weight_ports(c), b.styles.weight);
    if (name == "resident_store" && b.resident_kib > 0) buffer(b.resident_kib, weight_ports(c), b.styles.resident);
    if (name == "bias_buffer") buffer(b.bias_kib, bias_ports(c), b.styles.bias);
    if (name == "output_buffer") buffer(b.output_kib, output_ports(c), b.styles.output);
    if (name == "line_buffers") block.paths = line_buffers(c, block.use);
    if (name == "sliding_window") block.paths = sliding_window(c, array);
    if (name == "mac_array") block.paths = mac_array(c, array, use_of("adder_tree"));
    if (name == "adder_tree") block.paths = adder_tree(c);
    if (name == "accumulator") block.paths = accumulator(c, block.use);
    if (name == "quantiser") block.paths = quantiser(c);
    if (name == "code_table") block.paths = {Path{"entry of the code", estimate::kCodeTableLevels}};
    if (name == "pooling") block.paths = pooling(c);
    if (name == "recurrent_cell") block.paths = recurrent_cell();
    if (name == "writer") block.paths = writer(c);
  }
}

}  // namespace fansim::stream

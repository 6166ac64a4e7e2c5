// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "accelerators/stream/config/buffer_ports.h"
#include "accelerators/stream/estimate/buffers.h"
#include "accelerators/stream/estimate/chain_array.h"
#include "accelerators/stream/estimate/lut_array.h"
#include "accelerators/stream/estimate/paths.h"
#include "accelerators/stream/estimate/yosys_blocks.h"
#include "base/units.h"
#include "estimate/bram.h"
#include "estimate/code_table.h"
#include "estimate/coefficients.h"
#include "estimate/estimate.h"

namespace fansim::stream {
namespace {

namespace k = estimate::coefficients;
using contract::Resources;

constexpr int kByte = 8;

int whole(double count) { return static_cast<int>(std::ceil(count)); }

Resources stream_of(int bits) { return {0, whole(bits * k::kLutPerStreamBit), bits * k::kFfPerStreamBit, 0}; }

Resources control(int bits) { return {0, whole(bits * k::kLutPerControlBit), bits, 0}; }

Resources vendor(const k::VendorIp& ip, int data_bits) {
  return {0, whole(ip.lut + ip.lut_per_bit * data_bits), whole(ip.ff + ip.ff_per_bit * data_bits), 0};
}

int beat_bits(const Config& c) { return c.axi.data_bits; }
int word_bits(const Config& c) { return c.array.word_bytes() * kByte; }
int value_bits(const Config& c) { return c.array.value_bytes() * kByte; }
// Returns how many output rows the array can finish in one cycle, which is that for a 1x1 kernel. Each of these rows
// has an accumulator bank.
int banks(const Config& c) { return c.array.windows_in_parallel(1, 1); }

Resources core_control() {
  Resources use = control(k::kLiteBits + k::kNestCounterBits);
  // Counts the registers twice: as written, and as the running job holds them. The tags wait in one SRL per bit beside
  // the pipeline.
  return use += Resources{0, k::kRegisterBits + k::kTagBits, 2 * k::kRegisterBits + k::kTagBits, 0, k::kTagBits};
}

// Counts `line_columns` of storage for each bit, and the selection of the tap at the depth that is set at run time.
Resources shift_registers(const ArrayConfig& a, int bits) {
  if (a.line_memory == LineMemory::ff) return {0, bits * k::lut_per_mux_bit(a.line_columns), bits * a.line_columns};
  const int srls = base::ceil_div(a.line_columns, k::kSrlDepth);
  return {0, bits * (srls + k::lut_per_mux_bit(srls)), 0, 0, bits * srls};
}

Resources line_buffers(const Config& c) {
  const ArrayConfig& a = c.array;
  const int bits = a.rows * word_bits(c);
  Resources use = stream_of(bits);
  if (a.line_memory == LineMemory::block) {
    // Counts the selection of the ring's line for each row, and the addresses of a fill and of a pass.
    use += {0, bits * k::lut_per_mux_bit(a.rows), 0, a.rows * estimate::bram36(word_bits(c), a.line_columns)};
    return use += control(2 * base::ceil_log2(a.line_columns));
  }
  use += shift_registers(a, bits);
  // Selects what enters a line: the line before, the stream, or the line itself.
  return use += {0, bits * k::kLutPerChoiceBit, bits};
}

Resources sliding_window(const Config& c) {
  const int bits = c.array.window_values() * value_bits(c);
  // Counts the selection of the line that each tap row reads if rows are computed in parallel, the window itself, and
  // its handshake.
  Resources use{0, c.array.rows * word_bits(c) * k::lut_per_mux_bit(c.array.rows), bits, 0};
  return use += stream_of(bits);
}

Resources mac_array(const Config& c) {
  if (!c.array.uses_dsp()) {
    Resources use = lut_array(c.array);
    return use += stream_of(c.array.weight_column_bytes() * kByte);
  }
  const ArrayConfig& a = c.array;
  if (a.chains()) {
    Resources use = chain_array(a);
    return use += stream_of(a.weight_column_bytes() * kByte);
  }
  const bool dual = a.multiplier == Multiplier::dsp48e2_dual_int8;
  // The next weight set waits in fabric registers; the one in use is in the DSP slices' own registers. The products
  // pass one more stage of registers on their way to the adders. A stall holds it through the array's clock enable.
  const int ff = c.array.weight_set_bytes() * kByte + c.array.macs_per_cycle() * a.term_bits();
  Resources use{c.array.macs_per_cycle() / (dual ? 2 : 1), 0, ff, 0};
  return use += stream_of(c.array.weight_column_bytes() * kByte);
}

Resources adder_tree(const Config& c) {
  int adder_bits = 0, delay_bits = 0;
  int width = c.array.term_bits();
  for (int terms = c.array.rows * c.array.row_terms(); terms > 1; terms = base::ceil_div(terms, 2)) {
    width = std::min(width + 1, c.quantiser.accumulator_bits);
    adder_bits += terms / 2 * width;
    delay_bits += terms % 2 * width;
  }
  // A packed pair's borrow correction enters the carry inputs, and is delayed to the level whose adder takes it.
  const int corrections =
      c.array.multiplier == Multiplier::dsp48e2_dual_int8 ? c.array.window_values() * c.array.output_channels / 2 : 0;
  Resources use{0, c.array.output_channels * adder_bits * k::kLutPerAdderBit,
                c.array.output_channels * (adder_bits + delay_bits) + corrections, 0};
  return use += compressor_trees(c.array);
}

Resources accumulator(const Config& c) {
  const int bits = c.array.output_channels * c.quantiser.accumulator_bits;
  const double store = estimate::bram36(bits, base::ceil_div(c.array.accumulator_depth, banks(c)));
  Resources use{0, bits * (k::kLutPerAdderBit + k::kLutPerChoiceBit), 2 * bits, store};
  use += stream_of(bits);
  Resources all = stream_of(bits);  // totals
  for (int bank = 0; bank < banks(c); ++bank) all += use;
  return all;
}

Resources quantiser(const Config& c) {
  constexpr int kScaleBits = 15;
  const int product = c.quantiser.operand_bits + kScaleBits, bits = value_bits(c);
  const int rounding = c.quantiser.rounding == arith::Rounding::half_up ? product * k::kLutPerAdderBit : 0;
  // It saturates, scales (one DSP: 16 x 15 bits fits 25 x 18), shifts, rounds, adds the zero point, saturates and
  // clamps.
  const int dsp = base::ceil_div(c.quantiser.operand_bits, c.device.dsp_operand_bits());
  const double lut = c.quantiser.operand_bits + product * k::kLutPerShifterBit + rounding + (bits + 1) + 2 * bits;
  const int ff = c.quantiser.operand_bits + 2 * product + 2 * bits + 1;
  // It holds bias, M and n of the current group and of the next one.
  const int parameters = 2 * (c.quantiser.accumulator_bits + kScaleBits + 5);
  const int n = c.array.output_channels;
  Resources use{n * dsp, n * whole(lut), n * (ff + parameters), 0};
  return use += stream_of(n * bits);
}

Resources code_table(const Config& c) {
  Resources use = estimate::code_table(c.array.output_channels);
  return use += stream_of(c.array.pixel_bytes() * kByte);
}

Resources pooling(const Config& c) {
  const int bits = c.array.pixel_bytes() * kByte;
  const int maximum = whole(bits * k::kLutPerMaximumBit), choice = bits * k::kLutPerChoiceBit;
  const int kernel = c.pooling.kernel, lines = c.pooling.lines;
  // Counts the pixels of the row, and the maximum over those that the window covers.
  Resources use{0, (kernel - 1) * (maximum + choice), kernel * bits, 0};
  // Each open window has a memory. It selects between what the memory read and what was written there a cycle before,
  // and then writes either the first value or the maximum.
  use += Resources{0, lines * (maximum + 2 * choice), lines * 2 * bits,
                   lines * estimate::bram36(bits, c.pooling.line_words)};
  use += Resources{0, bits * k::lut_per_mux_bit(lines), 0, 0};
  use += control(k::kPoolAxisBits * (2 + lines));
  return use += stream_of(bits);
}

Resources recurrent_cell(const Config& c) {
  const int n = c.array.output_channels;
  const int gate_bits = n * k::kTableBits;
  const int tables = base::ceil_div(n, k::kTablePorts) + 1;  // one more for tanh of the cell state
  // The four gates of a block of units are collected while the block before is processed, one unit per cycle.
  Resources use{k::kCellMultipliers,
                k::kCellAdderBits + n * k::kTanhLutPerChannel + 4 * k::kTableBits * k::lut_per_mux_bit(n),
                2 * 4 * gate_bits + k::kCellAdderBits,
                tables * estimate::bram36(k::kTableBits, k::kTableDepth) +
                    estimate::bram36(n * kByte, k::kHiddenWords) + estimate::bram36(k::kTableBits, k::kCellUnits)};
  // h times its multiplier takes 34 x 16 bits in two slices, the shift by any number of places, and the rounding.
  constexpr int kScaledBits = 50;
  if (c.array.hidden_requantise)
    use +=
        Resources{2, static_cast<int>(2 * kScaledBits * k::kLutPerShifterBit) + kScaledBits, kScaledBits + 2 * 20, 0};
  use += stream_of(gate_bits);
  return use += stream_of(gate_bits);
}

Resources dma(const Config& c) {
  Resources use = vendor(k::kAxiDma, beat_bits(c));
  const int width = beat_bits(c) + k::kDmaFifoSideBits;
  use.bram36 = estimate::bram36(width, c.axi.mm2s_fifo_beats()) + estimate::bram36(width, c.axi.s2mm_fifo_beats());
  return use;
}

Resources interconnect(const Config& c) {
  Resources use = vendor(k::kMemoryInterconnect, beat_bits(c));
  use += k::kControlInterconnect;
  return use += k::kResetBlock;
}

Resources receivers(const Config& c) {
  Resources use = control(k::kReceiverBits);
  for (int receiver = 0; receiver < 3; ++receiver) use += stream_of(beat_bits(c));
  return use;
}

std::vector<estimate::BlockUse> vivado_uses(const Config& c) {
  const BufferConfig& b = c.buffers;
  Resources resident = memory_use(b.resident_kib, weight_ports(c), b.styles.resident);
  // Selects whether the buffer or the store feeds the array.
  if (b.resident_kib > 0) resident.lut += weight_ports(c).read_bytes * kByte * k::kLutPerChoiceBit;
  std::vector<estimate::BlockUse> blocks{
      {"dma", dma(c)},
      {"interconnect", interconnect(c)},
      {"control", core_control()},
      {"receivers", receivers(c)},
      {"input_buffer", memory_use(b.input_kib, input_ports(c), b.styles.input)},
      {"weight_buffer", memory_use(b.weight_kib, weight_ports(c), b.styles.weight)},
      {"resident_store", resident},
      {"bias_buffer", memory_use(b.bias_kib, bias_ports(c), b.styles.bias)},
      {"line_buffers", line_buffers(c)},
      {"sliding_window", sliding_window(c)},
      {"mac_array", mac_array(c)},
      {"adder_tree", adder_tree(c)},
      {"accumulator", accumulator(c)},
      {"quantiser", quantiser(c)},
      {"pooling", pooling(c)},
      {"recurrent_cell", recurrent_cell(c)},
      {"output_buffer", memory_use(b.output_kib, output_ports(c), b.styles.output)},
      // Its aligner can move any byte of a word to any byte of a beat, which counting adders and selections does not
      // capture.
      {"writer", *yosys_use("writer", c)},
  };
  if (c.array.code_table) blocks.push_back({"code_table", code_table(c)});
  return blocks;
}

// If the multipliers are LUTs, the machine has no DSP slice at all. This replaces the quantisers' products of the
// operand by a 15-bit scale, and all other products of 16 x 16 bits (the recurrent cell; addresses are no wider).
void replace_dsp(const Config& c, estimate::BlockUse& block) {
  if (block.use.dsp == 0) return;
  const bool quantiser = block.name == "quantiser";
  const int products = quantiser ? c.array.output_channels : block.use.dsp;
  block.use.lut += products * (quantiser ? soft_product_luts(c.quantiser.operand_bits, 15) : soft_product_luts(16, 16));
  block.use.dsp = 0;
}

}  // namespace

std::vector<estimate::BlockUse> block_uses(const Config& c) {
  std::vector<estimate::BlockUse> blocks = vivado_uses(c);
  if (c.device.coefficients == contract::Coefficients::yosys) {
    for (estimate::BlockUse& block : blocks) block.use = yosys_use(block.name, c).value_or(block.use);
  }
  if (!c.array.uses_dsp()) {
    for (estimate::BlockUse& block : blocks) replace_dsp(c, block);
  }
  add_paths(c, blocks);
  return blocks;
}

}  // namespace fansim::stream

// SPDX-License-Identifier: Apache-2.0
#include "accelerators/trainer/estimate/estimate.h"

#include <cmath>
#include <initializer_list>

#include "accelerators/trainer/config/job.h"
#include "accelerators/trainer/config/softmax.h"
#include "base/units.h"
#include "estimate/bram.h"
#include "estimate/coefficients.h"

namespace fansim::trainer {
namespace {

namespace k = estimate::coefficients;
using arith::FloatFormat;
using contract::Resources;
using estimate::clbs;
using estimate::Path;
using estimate::Terminal;

int whole(double count) { return static_cast<int>(std::ceil(count)); }
// Returns the LUTs that shift a word of `bits` bits by any number of places.
double shifter(int bits) { return bits * k::kLutPerShifterBit * base::ceil_log2(bits) / 5.0; }

Resources control(int bits) { return {0, whole(bits * k::kLutPerControlBit), bits, 0}; }
Resources vendor(const k::VendorIp& ip, int data_bits) {
  return {0, whole(ip.lut + ip.lut_per_bit * data_bits), whole(ip.ff + ip.ff_per_bit * data_bits), 0};
}

// Returns the DSP slices of an integer product of two significands. A slice multiplies 27 x 18 bits with sign.
int multipliers(int bits) { return base::ceil_div(bits, 26) * base::ceil_div(bits, 17); }

// The adder compares and swaps its operands, aligns one of them, adds at twice the width, counts the leading zeros,
// normalises, and handles the ends of the range.
Resources adder(const FloatFormat& f) {
  const int p = f.significand_bits(), wide = 2 * p, word = f.bits();
  const double lut = word / 2.0 + 2 * word + f.exponent_bits + shifter(wide) + (wide + 1) * k::kLutPerAdderBit + wide +
                     shifter(wide) + 3.0 * f.exponent_bits + p;
  return {0, whole(lut), (2 * wide + 2 * f.exponent_bits + 3) + (wide + f.exponent_bits + 2) + word, 0};
}

Resources multiplier(const FloatFormat& f) {
  const int p = f.significand_bits();
  return {multipliers(p), whole(3.0 * f.exponent_bits + 2 * p), f.exponent_bits + 3 + f.bits(), 0};
}

Resources converter(const FloatFormat& from, const FloatFormat& to) {
  if (from == to) return {};
  return {0, 2 * to.exponent_bits + to.mantissa_bits, to.bits(), 0};
}

Resources array_divider(const FloatFormat& f, int rows_per_stage) {
  const int p = f.significand_bits(), rows = p + 1, stages = base::ceil_div(rows, rows_per_stage);
  // A row has a subtraction and the selection of its result.
  return {0, rows * (p + 1) * (k::kLutPerAdderBit + k::kLutPerChoiceBit) + 3 * f.exponent_bits,
          stages * (2 * (p + 1) + rows / 2 + f.exponent_bits) + f.bits(), 0};
}

Resources reciprocal_divider(const FloatFormat& f, const arith::ReciprocalConfig& c) {
  const int fraction = std::max(f.mantissa_bits + 4, c.seed_bits + 2), products = 2 * c.iterations + 1;
  const int table = (1 << c.seed_bits) * (c.seed_bits + 2) / 64;
  return {products * multipliers(fraction + 1), table + c.iterations * fraction + 3 * f.exponent_bits,
          (2 * c.iterations + 3) * (2 * fraction + f.exponent_bits), 0};
}

Resources exponential(const FloatFormat& f) {
  const arith::FloatExponential unit(f, arith::FloatExponential::enough_table_bits(f));
  const int fraction = unit.fraction_bits();
  const int table = ((1 << unit.table_bits()) + 1) * fraction / 64;
  return {multipliers(fraction + f.exponent_bits) + multipliers(fraction),
          table + whole(2 * shifter(fraction + f.exponent_bits)) + 3 * fraction, 5 * (fraction + f.exponent_bits), 0};
}

// These are the bits of the counters of nested loops, and of the addresses that they make.
constexpr int kNestBits = 6 * 16 + 3 * 20, kPassBits = 40;

Resources products(const FloatFormat& format, const WeightedConfig& block) {
  Resources use = control(kNestBits);
  use += converter(block.weights, format);
  use += converter(arith::kSingle, format);  // converts whatever comes from the unit before it
  use += multiplier(format);
  use += adder(block.sum);
  use += converter(block.sum, format);
  // The sums that take turns are in LUT memory.
  const int ram = base::ceil_div(block.accumulators, k::kLutRamWords) *
                  base::ceil_div(block.sum.bits(), k::kLutRamBits) * k::kLutRamLuts;
  return use += Resources{0, ram, 0, 0, ram};
}

Resources update(const WeightedConfig& block) {
  Resources use = control(kPassBits);
  use += converter(block.backward, block.weights);
  use += multiplier(block.weights);
  return use += adder(block.weights);
}

Resources weighted(const WeightedConfig& block) {
  Resources use = products(block.forward, block);
  use += products(block.backward, block);
  return use += update(block);
}

std::vector<Path> float_paths(const WeightedConfig& block, const Resources& use) {
  const int wide = 2 * block.sum.significand_bits();
  return {Path{"sum of aligned significands", 1}.add(wide).across(clbs(use)),
          Path{"leading zeros to the normalising shift", 2 + base::ceil_log2(wide) / 2}.across(clbs(use)),
          Path{"operand to the multiplier", 1}.across(clbs(use)).between(Terminal::bram, Terminal::dsp)};
}

Resources pooling(const Config& c) {
  Resources use = control(kNestBits);
  use += converter(arith::kSingle, c.pooling.format);
  return use += Resources{0, c.pooling.format.bits() * 2, 2 * c.pooling.format.bits(), 0};
}

Resources softmax(const Config& c) {
  const SoftmaxConfig& s = c.softmax;
  Resources use = control(3 * kPassBits);
  use += exponential(s.format);
  use += adder(s.format);
  use += s.divider == Divider::array ? array_divider(s.format, s.array.rows_per_stage)
                                     : reciprocal_divider(s.format, s.reciprocal);
  return use;
}

Resources registers() {
  const int bits = 32 * static_cast<int>(JobRegisters::kCount);
  Resources use = control(k::kLiteBits + 2 * kPassBits);
  return use += Resources{0, bits / 2, bits, 0};
}

int widest(std::initializer_list<FloatFormat> formats) {
  int bits = 0;
  for (const FloatFormat& format : formats) bits = std::max(bits, format.bits());
  return bits;
}

Resources memories(const Config& c) {
  const int values = widest({c.convolution.forward, c.fc1.forward, c.fc2.forward, c.pooling.format, c.softmax.format});
  const int gradients =
      widest({c.convolution.backward, c.fc1.backward, c.fc2.backward, c.pooling.format, c.softmax.format});
  const int weights = widest({c.convolution.weights, c.fc1.weights, c.fc2.weights});
  const int deltas = widest({c.convolution.backward, c.fc1.backward, c.fc2.backward});
  constexpr int kChoiceBits = 8;
  Resources use;
  use.bram36 = estimate::bram36(values, c.memories.activations) + estimate::bram36(gradients, c.memories.activations) +
               estimate::bram36(kChoiceBits, c.memories.activations) + estimate::bram36(weights, c.memories.weights) +
               estimate::bram36(deltas, c.memories.weights);
  // Each memory selects the unit from which its address and data come.
  use.lut = 4 * (values + 20) * k::lut_per_mux_bit(8);
  return use;
}

Resources dma(const Config& c) {
  Resources use = vendor(k::kAxiDma, c.axi.data_bits);
  const int width = c.axi.data_bits + k::kDmaFifoSideBits;
  use.bram36 = estimate::bram36(width, c.axi.mm2s_fifo_beats()) + estimate::bram36(width, c.axi.s2mm_fifo_beats());
  return use;
}

Resources interconnect(const Config& c) {
  Resources use = vendor(k::kMemoryInterconnect, c.axi.data_bits);
  use += k::kControlInterconnect;
  return use += k::kResetBlock;
}

// Counts a beat and the selection of its values, and a beat and its words.
Resources movers(const Config& c) {
  Resources use = control(2 * kPassBits);
  return use += Resources{0, 32 * k::lut_per_mux_bit(c.axi.data_bits / 32) + 2 * 32, 2 * c.axi.data_bits + 64, 0};
}

}  // namespace

estimate::Estimate cost_of(const Config& c) {
  std::vector<estimate::BlockUse> blocks{{"dma", dma(c)},
                                         {"interconnect", interconnect(c)},
                                         {"controller", registers()},
                                         {"loader_storer", movers(c)},
                                         {"memories", memories(c)}};
  const auto add = [&](const char* name, const WeightedConfig& block) {
    const Resources use = weighted(block);
    blocks.push_back({name, use, float_paths(block, use)});
  };
  add("convolution", c.convolution);
  add("fc1", c.fc1);
  add("fc2", c.fc2);
  blocks.push_back({"pooling", pooling(c)});
  const Resources last = softmax(c);
  const int p = c.softmax.format.significand_bits();
  const int rows = c.softmax.divider == Divider::array ? c.softmax.array.rows_per_stage : 1;
  Path row{"rows of the divider between two registers", rows};
  for (int i = 0; i < rows; ++i) row.add(p + 1);
  blocks.push_back({"softmax", last, {row.across(clbs(last))}});
  return estimate::estimate_of(std::move(blocks), c.device, c.clock_hz());
}

}  // namespace fansim::trainer

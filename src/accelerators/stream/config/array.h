// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "base/effect.h"
#include "base/units.h"
#include "contract/dual_int8.h"
#include "contract/lut_kernel.h"

namespace fansim::stream {

// Selects what makes the products: DSP slices with one product or two each; slices in chains, which sum the pairs that
// they make; LUTs, in which a weight is an operand or the contents of tables; or kernels of such tables, whose entries
// a compressor tree sums (arith/lut_kernel.h).
enum class Multiplier { dsp48e2, dsp48e2_dual_int8, dsp48e2_int8_chain, lut, lut_reconfigurable, lut_kernel };

// Selects how much of the sum of a kernel is kept: all bits, or as many as an input has (docs/lut_kernels.md).
enum class KernelRounding { full, faithful };

// Selects the line buffers' memory: shift registers of LUTs (SRLC32E) or of flip-flops, or a ring of block RAMs.
enum class LineMemory { srl, ff, block };

// Describes the MAC array and its line buffers: it multiplies taps x input channels x output channels at once.
struct ArrayConfig {
  int rows = 3;
  int cols = 3;
  int input_channels = 8;
  int output_channels = 8;
  int operand_bits = 8;
  int coefficient_bits = 0;
  Multiplier multiplier = Multiplier::dsp48e2_dual_int8;
  bool shadow_luts = true;
  KernelRounding rounding = KernelRounding::full;
  int slice_bits = arith::kSliceBits;  // address bits of a kernel's tables; set by the twins only, not by a file
  int terms = 7;
  contract::Shared shared = contract::Shared::activation;
  // These say which keys the file has, because some keys are allowed only for some multipliers. Only reconfigurable
  // tables can have shadows, only kernels round and have coefficients of their own width, and only chains have terms
  // and share a factor.
  bool shadow_luts_said = false, rounding_said = false, coefficient_bits_said = false;
  bool terms_said = false, shared_said = false;
  int line_columns = 256;
  LineMemory line_memory = LineMemory::srl;
  bool hidden_requantise = false;
  bool code_table = false;
  int accumulator_depth = 2048;

  static constexpr int kMaxTaps = 36;
  static constexpr int kMaxChannels = 16;
  static constexpr int kMaxRows = 12;
  static constexpr int kMaxBytes = 2;       // bytes of a value
  static constexpr int kMaxWordBytes = 16;  // bytes of a word, which the packer must hold
  // Limits the terms of a chain. 8 products of int8 by int8 stay within the low sum's 18 bits if no weight is -128
  // (contract/dual_int8.h).
  static constexpr int kMinTerms = 2, kMaxTerms = 8;

  int taps() const { return rows * cols; }
  int window_values() const { return taps() * input_channels; }
  int macs_per_cycle() const { return taps() * input_channels * output_channels; }
  // These hold for activations and for weights. Each takes the narrower of one or two bytes that fits, sign-extended.
  int weight_bits() const { return coefficient_bits > 0 ? coefficient_bits : operand_bits; }
  int value_bytes() const { return bytes_of(operand_bits); }
  int weight_bytes() const { return bytes_of(weight_bits()); }
  bool wide() const { return value_bytes() > 1 || weight_bytes() > 1; }
  // A word is one pixel of one input-channel group. A pixel of an output-channel group has one word or more.
  int word_bytes() const { return input_channels * value_bytes(); }
  int pixel_bytes() const { return output_channels * value_bytes(); }
  // Returns the bytes of weights that one tap column of the array takes, which the weight buffer delivers in a cycle.
  int weight_column_bytes() const { return rows * input_channels * output_channels * weight_bytes(); }
  int weight_set_bytes() const { return weight_column_bytes() * cols; }

  bool uses_dsp() const { return multiplier != Multiplier::lut && !reloads(); }
  // Returns whether a weight set is loaded into tables before its first window.
  bool reloads() const { return multiplier == Multiplier::lut_reconfigurable || kernels(); }
  bool kernels() const { return multiplier == Multiplier::lut_kernel; }
  bool rounds() const { return kernels() && rounding == KernelRounding::faithful; }
  // Describes the kernels. There is one for each tap row and output channel, because parallel rows are summed
  // separately.
  contract::LutKernelConfig kernel() const {
    contract::LutKernelConfig config;
    config.format.inputs = cols * input_channels;
    config.format.input_bits = operand_bits;
    config.format.coefficient_bits = weight_bits();
    config.format.faithful = rounding == KernelRounding::faithful;
    config.format.slice_bits = slice_bits;
    config.shadow_luts = shadow_luts;
    return config;
  }
  bool chains() const { return multiplier == Multiplier::dsp48e2_int8_chain; }
  // If chains share the weight, each weight meets two windows: half of the output channels are computed in one cycle,
  // the others in the next.
  bool pairs_windows() const { return chains() && shared == contract::Shared::weight; }
  bool even_outputs() const { return chains() || multiplier == Multiplier::dsp48e2_dual_int8; }

  // Returns the most slices of a chain; the last chain of a tap row has the rest.
  int chain_terms() const { return std::min(terms, cols * input_channels); }
  // Returns the number of terms that the adder tree sums for a tap row: products, or sums of chains, or the single sum
  // of a kernel. A chain belongs to one row, because parallel rows are summed separately.
  int row_terms() const {
    if (kernels()) return 1;
    return chains() ? base::ceil_div(cols * input_channels, chain_terms()) : cols * input_channels;
  }
  // Returns the sums per tap row that leave an array whose cells add products.
  int row_sums() const { return chains() ? row_terms() : 1; }
  // Returns whether products of any weights and activations of that signedness are summed exactly.
  bool sums_exactly(bool is_unsigned) const {
    return !chains() || contract::DualInt8Config{chain_terms(), shared, is_unsigned}.exact();
  }
  // A rounded sum has zeros in its lowest bits.
  int term_bits() const {
    if (kernels()) return arith::LutKernel(kernel().format).sum_bits();
    return chains() ? contract::DualInt8Config{}.shift : operand_bits + weight_bits();
  }

  // Returns the registers from operand to product. In a DSP48E2 they are A/B/D, AD (packed pair only), M and P (UG579,
  // all pipeline stages on). In LUTs they hold the operands, sums of pairs of rows and the product; or the activation,
  // table entries and the product, which a kernel's compressor tree does not need. For a chain they lead to its sum,
  // with two more for the second window of a pair and the second half of the output channels.
  int mac_latency() const {
    if (chains()) return contract::DualInt8Config{chain_terms()}.latency() + (pairs_windows() ? 2 : 0);
    if (kernels()) return contract::LutKernelConfig::table_latency();
    return multiplier == Multiplier::dsp48e2_dual_int8 ? 4 : 3;
  }
  // Returns one register for each level of the adder tree over all terms of an output channel; the levels of the tap
  // row come first. A single term has one too. A kernel's compressor tree comes before it.
  int adder_tree_latency() const {
    if (kernels()) return kernel().tree_latency() + base::ceil_log2(rows);
    return std::max(1, base::ceil_log2(row_terms()) + base::ceil_log2(rows));
  }
  // The accumulator reads block RAM, then adds and writes back.
  static constexpr int accumulator_latency() { return 2; }
  // Block RAM has an output register.
  static constexpr int bram_read_latency() { return 2; }
  // The tap of a shift register is available at once; block RAM delivers through its registers.
  int line_latency() const { return line_memory == LineMemory::block ? bram_read_latency() : 0; }
  // The quantiser wraps and saturates, multiplies, shifts, and saturates.
  static constexpr int quantiser_latency() { return 4; }
  // The entry has a register.
  static constexpr int code_table_latency() { return 1; }
  // The table is read with its output register, then the result is scaled.
  static constexpr int activation_latency() { return 3; }
  // The cell takes 3 DSP registers for f * c and i * g, 1 for sum and saturation, 2 for the table, 3 for o * tanh(c)
  // and, if the hidden state is scaled, 3 more for its multiplier and 1 for saturation.
  int cell_latency() const { return hidden_requantise ? 13 : 10; }

  // Returns how many output rows are computed at once if the kernel is lower than the array; their windows overlap in
  // the line buffers.
  int windows_in_parallel(int kernel, int stride) const {
    if (kernel > rows) return 1;
    const int by_taps = rows / kernel;
    const int by_lines = (rows - kernel) / stride + 1;
    return by_taps < by_lines ? by_taps : by_lines;
  }

  // Partial sums are in `rows` banks, because up to `rows` output rows can be summed at once. A single row uses all
  // banks one after another; parallel rows have a share each.
  int accumulator_entries(int parallel) const {
    return parallel == 1 ? accumulator_depth : accumulator_depth / rows * (rows / parallel);
  }

  template <class V>
  void visit(V&& v) {
    v.field("rows", rows, 1, kMaxRows, "tap rows of the array");
    v.field("cols", cols, 1, kMaxRows, "tap columns of the array");
    v.field("input_channels", input_channels, 1, kMaxChannels,
            {"input channels multiplied at once", base::Effect{}, "1 | 2 | 4 | 8 | 16"});
    v.field("output_channels", output_channels, 2, kMaxChannels,
            "output channels computed at once, a multiple of input_channels");
    const base::Effect of_width{base::Effect::Resources::shape, true, true};
    v.field(
        "operand_bits", operand_bits, 8, 16,
        {"bits of activations and weights: 8, or with 'multiplier: dsp48e2' and 'lut_kernel' 12 or 16, two bytes each "
         "in memory",
         of_width, "8 | 12 | 16"});
    v.field("coefficient_bits", coefficient_bits, 0, 16,
            {"lut_kernel: bits of weights; 0: operand_bits", of_width, "0 | 8 | 12 | 16"});
    v.choice(
        "multiplier", multiplier,
        {{Multiplier::dsp48e2, "dsp48e2"},
         {Multiplier::dsp48e2_dual_int8, "dsp48e2_dual_int8"},
         {Multiplier::dsp48e2_int8_chain, "dsp48e2_int8_chain"},
         {Multiplier::lut, "lut"},
         {Multiplier::lut_reconfigurable, "lut_reconfigurable"},
         {Multiplier::lut_kernel, "lut_kernel"}},
        "one product per DSP slice, or two INT8 products sharing the activation; chains of slices that sum such pairs; "
        "or in LUTs, without any DSP slice: products, or kernels with compressor trees");
    v.field("shadow_luts", shadow_luts,
            {"lut_reconfigurable, lut_kernel: a second set of tables is reloaded while the first is read",
             base::Effect{base::Effect::Resources::shape, true, false, true}});
    v.choice("rounding", rounding, {{KernelRounding::full, "full"}, {KernelRounding::faithful, "faithful"}},
             {"lut_kernel: all bits of a kernel's sum, or operand_bits within one unit of their last place; "
              "convolutions and fully "
              "connected layers alone",
              base::Effect{base::Effect::Resources::shape, true, false, true}});
    const base::Effect of_chains{base::Effect::Resources::shape, true, false, true};
    v.field("terms", terms, kMinTerms, kMaxTerms,
            {"dsp48e2_int8_chain: pairs that a chain sums; uint8 allows 4, a weight of -128 allows 7", of_chains});
    v.choice(
        "shared", shared, {{contract::Shared::activation, "activation"}, {contract::Shared::weight, "weight"}},
        {"dsp48e2_int8_chain: what both products of a slice share: the activation, for two output channels, or the "
         "weight, for two windows",
         of_chains});
    v.field("line_columns", line_columns, 4, 4096,
            {"deepest setting of a line buffer, in columns of input_channels values", base::grows()});
    v.choice("line_memory", line_memory,
             {{LineMemory::srl, "srl"}, {LineMemory::ff, "ff"}, {LineMemory::block, "block"}},
             "lines are shift registers in LUTs or in flip-flops, or block RAMs, read two cycles later");
    v.field("hidden_requantise", hidden_requantise,
            {"the recurrent cell has a multiplier for the hidden state's own scale and shift, three cycles later",
             base::Effect{base::Effect::Resources::shape, true, false, true}});
    v.field(
        "code_table", code_table,
        {"outputs can pass a table of 256 codes for each output channel: sigmoid, tanh, hard_swish and other functions "
         "of one value, two cycles later; codes of 8 bits",
         base::Effect{base::Effect::Resources::shape, true, false, true}});
    v.field("accumulator_depth", accumulator_depth, 16, 65536,
            {"partial sums held per output channel, over all banks", base::grows()});
  }

 private:
  static int bytes_of(int bits) { return bits > 8 ? 2 : 1; }
};

}  // namespace fansim::stream

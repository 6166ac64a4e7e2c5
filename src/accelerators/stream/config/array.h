// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/effect.h"
#include "base/units.h"

namespace fansim::stream {

// What makes the products: DSP slices, one product or two each; or LUTs, in which a weight is an operand or the
// contents of tables (arith/lut_kernel.h).
enum class Multiplier { dsp48e2, dsp48e2_dual_int8, lut, lut_reconfigurable };

// The MAC array and what feeds it: taps x input channels x output channels multiplied at once.
struct ArrayConfig {
  int rows = 3;
  int cols = 3;
  int input_channels = 8;
  int output_channels = 8;
  Multiplier multiplier = Multiplier::dsp48e2_dual_int8;
  bool shadow_luts = true;
  bool shadow_luts_said = false;  // by the file; only reconfigurable tables can have shadows
  int line_columns = 256;
  int accumulator_depth = 2048;

  static constexpr int kMaxTaps = 36;
  static constexpr int kMaxChannels = 16;
  static constexpr int kMaxRows = 12;

  int taps() const { return rows * cols; }
  int window_bytes() const { return taps() * input_channels; }
  int macs_per_cycle() const { return taps() * input_channels * output_channels; }
  // Bytes of weights that one tap column of the array takes, which is what the weight buffer delivers per cycle.
  int weight_column_bytes() const { return rows * input_channels * output_channels; }
  int weight_set_bytes() const { return weight_column_bytes() * cols; }

  bool uses_dsp() const { return multiplier == Multiplier::dsp48e2 || multiplier == Multiplier::dsp48e2_dual_int8; }

  // Registers from operand to product: A/B/D, AD (packed pair only), M, P of the DSP48E2 (UG579, all pipeline stages
  // on). In LUTs: operands, sums of pairs of rows, product; or activation, table entries, product.
  int mac_latency() const { return multiplier == Multiplier::dsp48e2_dual_int8 ? 4 : 3; }
  // One register per level of the adder tree over all products of one output channel: those of a tap row first, because
  // rows in parallel are summed apart. A single product has one too.
  int adder_tree_latency() const {
    return window_bytes() > 1 ? base::ceil_log2(cols * input_channels) + base::ceil_log2(rows) : 1;
  }
  // Block RAM read, then add and write back.
  static constexpr int accumulator_latency() { return 2; }
  // Block RAM with its output register.
  static constexpr int bram_read_latency() { return 2; }
  // Wrap and saturate, multiply, shift, saturate.
  static constexpr int quantiser_latency() { return 4; }
  // Table read with its output register, then scaling.
  static constexpr int activation_latency() { return 3; }
  // f * c and i * g (3 DSP registers), sum and saturation 1, table 2, o * tanh(c) 3, saturation 1.
  static constexpr int cell_latency() { return 10; }

  // Output rows computed at once when the kernel is lower than the array: their windows overlap in the line buffers.
  int windows_in_parallel(int kernel, int stride) const {
    if (kernel > rows) return 1;
    const int by_taps = rows / kernel;
    const int by_lines = (rows - kernel) / stride + 1;
    return by_taps < by_lines ? by_taps : by_lines;
  }

  // Partial sums lie in `rows` banks, because that many output rows can be summed at once. One row at a time uses all
  // banks one after another; rows in parallel each have their own share.
  int accumulator_entries(int parallel) const {
    return parallel == 1 ? accumulator_depth : accumulator_depth / rows * (rows / parallel);
  }

  template <class V>
  void visit(V&& v) {
    v.field("rows", rows, 1, kMaxRows, "tap rows of the array");
    v.field("cols", cols, 1, kMaxRows, "tap columns of the array");
    v.field("input_channels", input_channels, 1, kMaxChannels, "input channels multiplied at once");
    v.field("output_channels", output_channels, 2, kMaxChannels, "output channels computed at once");
    v.choice(
        "multiplier", multiplier,
        {{Multiplier::dsp48e2, "dsp48e2"},
         {Multiplier::dsp48e2_dual_int8, "dsp48e2_dual_int8"},
         {Multiplier::lut, "lut"},
         {Multiplier::lut_reconfigurable, "lut_reconfigurable"}},
        "one product per DSP slice, or two INT8 products sharing the activation; or in LUTs, without any DSP slice");
    v.field("shadow_luts", shadow_luts,
            {"lut_reconfigurable: a second set of tables is reloaded while the first is read",
             base::Effect{base::Effect::Resources::shape, true, false, true}});
    v.field("line_columns", line_columns, 4, 4096,
            {"deepest setting of a line buffer, in columns of input_channels bytes", base::grows()});
    v.field("accumulator_depth", accumulator_depth, 16, 65536,
            {"partial sums held per output channel, over all banks", base::grows()});
  }
};

}  // namespace fansim::stream

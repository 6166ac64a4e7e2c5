// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "arith/compressor.h"
#include "base/units.h"
#include "estimate/bram.h"
#include "estimate/twins/pairwise_sum.h"
#include "estimate/twins/twin.h"

namespace fansim::estimate {
namespace {

using base::ceil_div;

const Parameters kArray{{"ROWS", 3}, {"COLS", 3}, {"INPUT_CHANNELS", 8}, {"OUTPUT_CHANNELS", 8}};

Parameters array_and(Parameters more) {
  more.insert(kArray.begin(), kArray.end());
  return more;
}

Structure sequencer(const Values&) { return {{1}, {1}, 0, 0, 5}; }

// Every bit is a shift register made of SRLC32E, and the slice's multiplexers select among four of them.
Structure line_buffer(const Values& p) {
  const int bits = p["ROWS"] * p["INPUT_CHANNELS"] * 8;
  const int srls = ceil_div(p["LINE_COLUMNS"], 32);
  const int choices = ceil_div(srls, 4);
  return {{1.0 * bits, bits * (choices > 1 ? ceil_div(choices, 4) : 0.0), 1}, {1.0 * bits, 1}, bits * srls};
}

// Counts the handshake of the window, a selection for each tap row, and the table that controls it. A tap row selects
// between its own line and the lines that jobs with several output rows put there; the last line needs no selection.
Structure sliding_window(const Values& p) {
  const int rows = p["ROWS"], word = p["INPUT_CHANNELS"] * 8, window = p["COLS"] * rows * word;
  int others = 0;
  for (int tap = 0; tap < rows; ++tap) others += std::max(0, rows - 1 - std::max(tap, 1));
  return {{1.0 * window, 1.0 * word * others, 1.0 * others, 1}, {3.0 * window - rows * word, 1}};
}

int chain_terms(const Values& p) { return std::min(p["TERMS"], p["COLS"] * p["INPUT_CHANNELS"]); }

// Every operand waits as long as its slice's place in the chain requires, in registers or in shift registers. The fit
// weighs the bits of both, the weights in use, the sums, and what pairs of windows need in addition.
Structure chains(const Values& p) {
  const int taps = p["ROWS"] * p["COLS"] * p["INPUT_CHANNELS"], lanes = p["OUTPUT_CHANNELS"], longest = chain_terms(p);
  const int row_products = p["COLS"] * p["INPUT_CHANNELS"], pairs = lanes / 2, paired = p["SHARED_WEIGHT"];
  // Delays become shift registers from three edges on, those of a pair of windows from four.
  constexpr int kWindowSrl = 4, kSrl = 3;
  int slices = 0, count = 0, ff = 0, srl = paired;
  const auto wait = [&](int bits, int edges, int shortest_srl) {
    (edges >= shortest_srl ? srl : ff) += p["ROWS"] * bits * (edges >= shortest_srl ? 1 : edges);
  };
  for (int first = 0; first < row_products; first += longest, ++count) {
    const int terms = std::min(longest, row_products - first);
    slices += terms + 1;
    for (int k = 0; k < terms; ++k) {
      const int edges = longest - terms + k;
      if (paired == 1) {
        wait(18, edges, kWindowSrl);
        wait(8 * pairs, edges, kSrl);
      } else {
        wait(9, edges, kSrl);
        wait(16 * pairs, std::max(0, edges - 1), kSrl);
      }
    }
  }
  const double sums = 18.0 * lanes * p["ROWS"] * count, weights = 8.0 * taps * lanes, windows = 9.0 * taps * paired;
  // The selections are those of the half of the output channels, of the pair of windows, and of the output.
  const double choices = paired * (weights / 4 + sums) + windows / 2;
  return {{0, 0, 0, 0, 0, 0, sums, choices, 1.0 * paired, 1, 0, 0, 0, 0, 0},
          {0, 0, 0, 0, 0, weights, 1.0 * ff, sums, windows, paired * sums, 1, 0, 0, 0, 0},
          kTagBits + srl,
          0,
          p["ROWS"] * pairs * slices};
}

// Returns the kernel of one output channel and tap row.
arith::LutKernel array_kernel(const Values& p) {
  arith::LutKernelFormat format{p["COLS"] * p["INPUT_CHANNELS"], 8, 8, p["FAITHFUL"] == 1};
  format.slice_bits = p["SLICE_BITS"];
  return arith::LutKernel(format);
}

// Counts the tables, with a multiplexer for each bit or pair of bits to its shadow; their outputs, in a register and a
// stream of two entries; and for each coefficient the controller's accumulators, and the coefficient twice.
Structure kernel_tables(const Values& p) {
  const arith::LutKernel k = array_kernel(p);
  const int kernels = p["ROWS"] * p["OUTPUT_CHANNELS"], inputs = k.format().inputs, luts = kernels * k.table_luts();
  double entries = 0;
  for (int s = 0; s < k.slices(); ++s) entries += kernels * inputs * (k.product_bits() - k.first_bit(s));
  const double accumulators = 2.0 * kernels * inputs * k.product_bits();
  const double halves = k.slice_bits() == arith::kSliceBits ? kernels * inputs : 0;
  return {
      {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, entries, accumulators, 1.0 * luts * p["SHADOW"], halves, 1},
      {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, entries, accumulators + 16.0 * kernels * inputs, 9.0 * p["ROWS"] * inputs, 1},
      luts * (1 + p["SHADOW"])};
}

// A slice does a pair of products or one product, or a product is made in LUTs or in tables, which have 12 pairs of
// bits each. The tag waits in shift registers beside them.
Structure mac_array(const Values& p) {
  if (p["MULTIPLIER"] == 4) return chains(p);
  if (p["MULTIPLIER"] == 5) return kernel_tables(p);
  const int taps = p["ROWS"] * p["COLS"] * p["INPUT_CHANNELS"], lanes = p["OUTPUT_CHANNELS"], kind = p["MULTIPLIER"];
  const int all = taps * lanes, pairs = kind == 1 ? taps * ceil_div(lanes, 2) : 0;
  const double products = 16.0 * all, luts = kind == 2 ? all : 0, tables = kind == 3 ? all : 0;
  const int banks = kind == 3 ? 1 + p["SHADOW"] : 0;
  return {{products, 16.0 * pairs, luts, tables, tables * p["SHADOW"], 1, 0, 0, 0, 0, 0, 0, 0, 0, 0},
          {products, luts, tables, kind >= 2 ? 1.0 * taps : 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
          kTagBits + 12 * all * banks,
          0,
          kind >= 2   ? 0
          : pairs > 0 ? pairs
                      : all};
}

Structure weight_reader(const Values& p) {
  const double column = 8.0 * p["ROWS"] * p["INPUT_CHANNELS"] * p["OUTPUT_CHANNELS"];
  return {{column, 1}, {column, 1}};
}

// For each output channel, sums each tap row, with a compressor tree if there are kernels. Then it sums the tap rows
// that each of the parallel output rows needs.
Structure adder_tree(const Values& p) {
  const bool kernels = p["KERNELS"] == 1;
  const arith::LutKernel k = array_kernel(p);
  const arith::CompressorPlan plan(kernels ? arith::heap_of(k) : arith::Heights{});
  const int rows = p["ROWS"], lanes = p["OUTPUT_CHANNELS"];
  const int width = kernels ? k.output_bits() : p["CHAINS"] > 0 ? 18 : 16;
  const int terms = kernels ? 1 : p["CHAINS"] > 0 ? p["CHAINS"] : k.format().inputs;
  const int row_levels = kernels ? 0 : rows * terms == 1 ? 1 : base::ceil_log2(terms);
  const int levels = base::ceil_log2(rows), dropped = kernels ? k.sum_bits() - k.output_bits() : 0;
  const int most_bits = p["SUM_BITS"] > 0 ? p["SUM_BITS"] - dropped : width + row_levels + levels;
  const PairwiseSum row(terms, width, row_levels, most_bits, false);
  int adders = rows * row.adder_bits, ff = rows * row.ff, srl = rows * row.srl, choices = 0, sums = 0;
  for (int parallel = 0; parallel < rows; ++parallel) {
    const int most = rows / (parallel + 1);
    const PairwiseSum sum(most, row.bits, levels, most_bits, true);
    adders += sum.adder_bits;
    ff += sum.ff;
    srl += sum.srl;
    sums += sum.bits;
    for (int leaf = 0; leaf < most; ++leaf) choices += row.bits * (parallel == 0 ? 1 : ceil_div(most - leaf + 1, 2));
  }
  if (kernels) {
    const int trees = rows * lanes;
    return {{0, 0, 0, 0, 1.0 * trees * plan.luts(), 1.0 * lanes * (adders + choices + sums), 1},
            {0, 0, 1.0 * trees * (plan.registers() - dropped), 1.0 * lanes * (ff + 2 * sums), 1},
            lanes * srl + kTagBits};
  }
  const int latency = row_levels + levels;
  const int tag_ff = latency >= 3 ? 0 : latency * kTagBits;
  return {{1.0 * lanes * adders, 1.0 * lanes * choices, 1.0 * lanes * sums, 1, 0, 0, 0},
          {1.0 * lanes * (ff + 2 * sums) + tag_ff, 1, 0, 0, 0},
          lanes * srl + (latency >= 3 ? kTagBits : 0)};
}

// Has a bank per tap row, made of several rows of block RAMs if it is deep. Sums that are narrower than the stored
// words are sign-extended in every bank.
Structure accumulator(const Values& p) {
  const int rows = p["ROWS"], lanes = p["OUTPUT_CHANNELS"];
  const double total = lanes * p["ACCUMULATOR_BITS"], sum = lanes * p["SUM_BITS"];
  const YosysBram bank = yosys_bram(lanes * p["ACCUMULATOR_BITS"], ceil_div(p["ACCUMULATOR_DEPTH"], rows));
  return {{rows * total, sum < total ? rows * total : 0, rows * total * choice(bank.rows), 1},
          {rows * total, rows * sum, total, 1},
          0,
          rows * bank.bram36};
}

// The tag waits in shift registers beside the products.
Structure quantiser(const Values& p) {
  const double lanes = p["OUTPUT_CHANNELS"], operand = p["OPERAND_BITS"];
  // A product of up to 27 x 18 bits takes one slice.
  const int dsp = p["OPERAND_BITS"] > 27 ? 2 : 1;
  return {{lanes, lanes * operand, lanes * operand * p["HALF_UP"], 1},
          {lanes, lanes * operand, 1},
          kTagBits + 11,
          0,
          p["OUTPUT_CHANNELS"] * dsp};
}

// A pixel belongs to KERNEL columns and OPEN rows of windows; each open row multiplies to find its start.
Structure pooling(const Values& p) {
  const int bits = 8 * p["OUTPUT_CHANNELS"], kernel = p["KERNEL"], open = p["OPEN"];
  return {{1.0 * bits * (kernel + open), 1.0 * bits * choice(open), 1.0 * open, 1},
          {1.0 * bits * (kernel + open + 2), 1.0 * open, 1},
          0,
          open * yosys_bram36(bits, p["DEPTH"]),
          open + 1};
}

// The tag waits in shift registers beside the table.
Structure activation(const Values& p) {
  const int lanes = p["OUTPUT_CHANNELS"];
  return {{1.0 * lanes, 1}, {1.0 * lanes, 1}, kTagBits, lanes * yosys_bram36(16, 4096), 0};
}

Structure code_table(const Values& p) { return {{1.0 * p["OUTPUT_CHANNELS"], 1}, {1.0 * p["OUTPUT_CHANNELS"], 1}}; }

// Tag, lane, output gate, update gate and hidden state wait in shift registers beside the five multipliers. If the
// hidden state has a scale of its own, its product takes two slices and waits too. Otherwise the selection of a lane is
// the longest path, so synthesis builds it for speed.
Structure recurrent_cell(const Values& p) {
  constexpr int kScaledBits = 51, kScalingSlices = 2;
  const int lanes = p["OUTPUT_CHANNELS"], blocks = p["BLOCKS"], scales = p["REQUANTISE"];
  return {
      {1.0 * lanes, 1.0 * lanes * (1 - scales), 1.0 * scales, 1},
      {1.0 * lanes, 1.0 * scales, 1},
      kTagBits + 16 + 16 + 8 + 1 + base::ceil_log2(lanes) + base::ceil_log2(blocks) + scales * kScaledBits,
      yosys_bram36(16, blocks << base::ceil_log2(lanes)) + yosys_bram36(8 * lanes, 2 * blocks) + yosys_bram36(16, 4096),
      5 + scales * kScalingSlices};
}

}  // namespace

const std::vector<Twin>& stream_array_twins() {
  static const std::vector<Twin> twins{
      {"sequencer", sequencer, kArray},
      {"line_buffer", line_buffer, array_and({{"LINE_COLUMNS", 256}})},
      {"sliding_window", sliding_window, kArray},
      {"weight_reader", weight_reader, kArray},
      {"mac_array", mac_array,
       array_and(
           {{"MULTIPLIER", 1}, {"SHADOW", 1}, {"TERMS", 7}, {"SHARED_WEIGHT", 0}, {"SLICE_BITS", 4}, {"FAITHFUL", 0}})},
      {"adder_tree", adder_tree,
       array_and({{"SUM_BITS", 0}, {"CHAINS", 0}, {"KERNELS", 0}, {"SLICE_BITS", 4}, {"FAITHFUL", 0}})},
      {"accumulator", accumulator,
       array_and({{"ACCUMULATOR_DEPTH", 2048}, {"ACCUMULATOR_BITS", 32}, {"SUM_BITS", 23}})},
      {"quantiser", quantiser, {{"OUTPUT_CHANNELS", 8}, {"OPERAND_BITS", 16}, {"HALF_UP", 0}}},
      {"code_table", code_table, {{"OUTPUT_CHANNELS", 8}}},
      {"pooling", pooling, {{"OUTPUT_CHANNELS", 8}, {"KERNEL", 3}, {"OPEN", 3}, {"DEPTH", 1024}}},
      {"activation", activation, kArray},
      {"recurrent_cell", recurrent_cell, {{"OUTPUT_CHANNELS", 8}, {"BLOCKS", 128}, {"REQUANTISE", 0}}},
  };
  return twins;
}

}  // namespace fansim::estimate

// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/estimate/lut_array.h"

#include "arith/lut_kernel.h"
#include "base/units.h"

namespace fansim::stream {
namespace {

constexpr int kByte = 8;
constexpr int kActivationBits = 9;  // int8 or uint8
constexpr int kProductBits = 16;

// Counts registers of a product in addition to the tables and adders: its own, and the stream's stage in front of the
// adder tree.
constexpr int kProductFf = 2 * kProductBits;

int row_pairs(int b_bits) { return base::ceil_div(b_bits, 2); }

// A LUT6_2 adds two products of bits, a_i b_j and a_(i-1) b_(j+1). So a pair of rows is one carry chain of a + 1 bits.
int row_pair_bits(int a_bits) { return a_bits + 1; }

}  // namespace

int soft_product_luts(int a_bits, int b_bits) {
  int luts = row_pairs(b_bits) * row_pair_bits(a_bits);
  int width = row_pair_bits(a_bits) + 1, shift = 2;
  for (int rows = row_pairs(b_bits); rows > 1; rows = base::ceil_div(rows, 2)) {
    luts += rows / 2 * width;
    width += shift;
    shift *= 2;
  }
  return luts;
}

namespace {

// Counts the tables as lut_array() does. A compressor tree sums their entries directly, and the stream's stage of
// registers is in front of it.
contract::Resources kernel_tables(const ArrayConfig& array) {
  const contract::LutKernelConfig config = array.kernel();
  const arith::LutKernel kernel(config.format);
  const int macs = array.macs_per_cycle(), kernels = array.rows * array.output_channels;
  int entries = 0;
  for (int s = 0; s < kernel.slices(); ++s) entries += kernel.product_bits() - kernel.first_bit(s);
  const int accumulators = 2 * (kernel.product_bits() + 1);
  const int cfgluts = kernels * kernel.table_luts() * (config.shadow_luts ? 2 : 1);
  return {
      0, kernels * config.table_luts() + macs * accumulators,
      array.window_values() * (array.operand_bits + 1) + macs * (2 * array.weight_bits() + 2 * entries + accumulators),
      0, cfgluts};
}

}  // namespace

contract::Resources lut_array(const ArrayConfig& array) {
  const int macs = array.macs_per_cycle(), taps = array.window_values();
  const int next_set = macs * kByte, activations = taps * kActivationBits;
  if (array.multiplier == Multiplier::lut) {
    const int in_use = macs * kByte, sums = row_pairs(kByte) * (row_pair_bits(kActivationBits) + 1);
    return {0, macs * soft_product_luts(kActivationBits, kByte),
            next_set + in_use + activations + macs * (sums + kProductFf), 0};
  }
  if (array.kernels()) return kernel_tables(array);
  // Each slice of bits has a table with two bits per LUT, and with a shadow and a multiplexer if configured. A carry
  // chain joins the two slices. Two accumulators count the products down for the reload, and the reload keeps its
  // coefficient.
  const int entry_bits = kByte + arith::kSliceBits, slices = kByte / arith::kSliceBits;
  const int cfgluts = slices * entry_bits / 2 * (array.shadow_luts ? 2 : 1);
  const int tables = cfgluts + (array.shadow_luts ? slices * entry_bits / 2 : 0);
  const int accumulators = 2 * (entry_bits + 1);
  const int ff = slices * entry_bits + kProductFf + accumulators + kByte;
  return {0, macs * (tables + entry_bits + accumulators), next_set + activations + macs * ff, 0, macs * cfgluts};
}

contract::Resources compressor_trees(const ArrayConfig& array) {
  if (!array.kernels()) return {};
  const arith::LutKernel kernel(array.kernel().format);
  const arith::CompressorPlan plan(arith::heap_of(kernel));
  const int trees = array.rows * array.output_channels, dropped = kernel.sum_bits() - kernel.output_bits();
  return {0, trees * plan.luts(), trees * (plan.registers() - dropped), 0};
}

}  // namespace fansim::stream

// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/estimate/chain_array.h"

#include "base/units.h"

namespace fansim::stream {
namespace {

constexpr int kByte = 8;
constexpr int kActivationBits = 9;  // int8 or uint8

// So many edges' delay of a bit: a register, or a shift register in one LUT with its output register.
contract::Resources delays(int bits, int edges) {
  if (edges == 0) return {};
  return {0, edges > 1 ? bits : 0, bits, 0};
}

}  // namespace

contract::Resources chain_array(const ArrayConfig& a) {
  const int row_products = a.cols * a.input_channels, pairs = a.output_channels / 2, bits = a.term_bits();
  contract::Resources row;
  for (int first = 0; first < row_products; first += a.chain_terms()) {
    const int terms = std::min(a.chain_terms(), row_products - first);
    row.dsp += pairs * (terms + 1);
    for (int k = 0; k < terms; ++k) {
      const int edges = a.chain_terms() - terms + k;
      if (a.pairs_windows()) {
        row += delays(2 * kActivationBits, edges);
        row += delays(pairs * kByte, edges);
        row.lut += pairs * kByte / 2;  // which half of the output channels: two bits of the choice are a LUT6_2
      } else {
        row += delays(kActivationBits, edges);
        if (edges > 0) row += delays(pairs * 2 * kByte, edges - 1);
      }
    }
  }
  contract::Resources use;
  for (int i = 0; i < a.rows; ++i) use += row;
  const int sums = a.output_channels * a.rows * a.row_terms() * bits;
  // The next weight set and the one in use; the sums' rank in front of the adder tree.
  use.ff += 2 * a.weight_set_bytes() * kByte + sums;
  if (a.pairs_windows()) {
    // The window that waits, the pair, the choice of it; the sums of one half of the channels and of the second window.
    const int window = a.window_bytes() * kActivationBits;
    use += contract::Resources{0, window, 3 * window, 0};
    use += contract::Resources{0, sums / 2, 2 * sums, 0};
  }
  return use;
}

}  // namespace fansim::stream

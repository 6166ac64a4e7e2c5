// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/estimate/chain_array.h"

#include "estimate/int8_chains.h"

namespace fansim::stream {
namespace {

constexpr int kByte = 8;
constexpr int kActivationBits = 9;  // int8 or uint8

}  // namespace

contract::Resources chain_array(const ArrayConfig& a) {
  const contract::Resources row =
      estimate::int8_chains(a.cols * a.input_channels, a.chain_terms(), a.output_channels / 2, a.shared);
  contract::Resources use;
  for (int i = 0; i < a.rows; ++i) use += row;
  const int sums = a.output_channels * a.rows * a.row_terms() * a.term_bits();
  // Counts the next weight set and the one in use, and the stage of sums in front of the adder tree.
  use.ff += 2 * a.weight_set_bytes() * kByte + sums;
  if (!a.pairs_windows()) return use;
  // Selects the half of the output channels: a LUT6_2 selects two bits.
  use.lut += a.weight_set_bytes() / 2 * kByte / 2;
  // Counts the window that waits, the pair and its selection, and the sums of one half of the channels and of the
  // second window.
  const int window = a.window_values() * kActivationBits;
  use += contract::Resources{0, window, 3 * window, 0};
  return use += contract::Resources{0, sums / 2, 2 * sums, 0};
}

}  // namespace fansim::stream

// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/estimate/macs.h"

#include <cmath>

#include "arith/quantisation/component.h"
#include "base/units.h"
#include "estimate/coefficients.h"
#include "estimate/int8_chains.h"

namespace fansim::tiled {
namespace {

namespace k = estimate::coefficients;

// Returns the carry-chain bits of a pipelined tree over `terms` terms of `bits` bits.
int tree_bits(int terms, int bits) {
  int adder_bits = 0;
  for (; terms > 1; terms = base::ceil_div(terms, 2)) adder_bits += terms / 2 * ++bits;
  return adder_bits;
}

// A slice adds its neighbour's product to its own, so only half of the terms reach the tree in the fabric.
int dsp_tree_bits(int terms, int product_bits) { return tree_bits(base::ceil_div(terms, 2), product_bits + 1); }

contract::Resources chains(const EngineConfig& e) {
  return estimate::int8_chains(e.tn, e.chain().terms, e.tm / 2, contract::Shared::activation);
}

}  // namespace

MacSplit mac_split(const EngineConfig& e) {
  if (e.chains()) return {chains(e).dsp, 0};
  const int dsp = e.macs == MacPlace::dsp         ? e.macs_per_cycle()
                  : e.macs == MacPlace::by_output ? e.dsp_channels * e.tn
                  : e.macs == MacPlace::by_input  ? e.dsp_channels * e.tm
                                                  : 0;
  return {dsp, e.macs_per_cycle() - dsp};
}

double luts_per_mac(const QuantisationConfig& format) {
  const arith::QuantisationMethods methods;
  const bool fine = format.grain == MacGrain::fine;
  return methods.find(format.method)
      ->luts_per_mac(format.weight_bits, format.activation_bits, fine ? arith::Grain::fine : arith::Grain::coarse);
}

contract::Resources macs(const EngineConfig& e, const QuantisationConfig& format, double luts_per_mac) {
  if (e.chains()) {
    const int bits = e.tm * tree_bits(e.tree_terms(), e.chain().shift);
    contract::Resources use = chains(e);
    return use += contract::Resources{0, static_cast<int>(bits * k::kLutPerAdderBit), bits, 0};
  }
  const MacSplit split = mac_split(e);
  const int product_bits = format.weight_bits + format.activation_bits;
  const int lut = static_cast<int>(std::ceil(split.lut * luts_per_mac));
  contract::Resources use{split.dsp, lut, 2 * split.lut * product_bits, 0};
  if (split.dsp == 0) return use;
  const bool by_input = e.macs == MacPlace::by_input;
  const int trees = by_input ? e.tm : split.dsp / e.tn;
  int bits = dsp_tree_bits(by_input ? e.dsp_channels : e.tn, product_bits);
  if (by_input && split.lut > 0) bits += product_bits + base::ceil_log2(e.tn);  // joins the two parts of a sum
  return use += contract::Resources{0, trees * bits * k::kLutPerAdderBit, trees * bits, 0};
}

}  // namespace fansim::tiled

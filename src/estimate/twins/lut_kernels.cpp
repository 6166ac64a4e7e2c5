// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "arith/compressor.h"
#include "estimate/twins/twin.h"

namespace fansim::estimate {
namespace {

arith::LutKernel kernel(const Values& p) {
  return arith::LutKernel({p["INPUTS"], p["INPUT_BITS"], p["COEFFICIENT_BITS"], p["FAITHFUL"] == 1});
}

// Has two accumulators per coefficient, and holds their words on the way to the tables.
Structure reload_controller(const Values& p) {
  const double inputs = p["INPUTS"], bits = inputs * p["COEFFICIENT_BITS"];
  return {{bits, inputs, 1}, {bits, inputs, 1}};
}

// The table's output passes a register and a stream of two entries. A multiplexer selects between a table and its
// shadow.
Structure lut_multiplier(const Values& p) {
  const arith::LutKernel k = kernel(p);
  double bits = 0;
  for (int s = 0; s < k.slices(); ++s) bits += p["INPUTS"] * (k.product_bits() - k.first_bit(s));
  const int banks = 1 + p["SHADOW"];
  return {{bits, 1.0 * k.table_luts() * p["SHADOW"], 1},
          {3 * bits + p["INPUTS"] * p["INPUT_BITS"], 1},
          k.table_luts() * banks};
}

// Only the output's bits of the sum are kept.
Structure compressor_tree(const Values& p) {
  const arith::LutKernel k = kernel(p);
  const arith::CompressorPlan plan(arith::heap_of(k));
  return {{1.0 * plan.luts(), 1.0 * k.output_bits(), 1},
          {1.0 * plan.registers() - (k.sum_bits() - k.output_bits()), 1.0 * k.output_bits(), 1}};
}

// The operands of a term wait for the cascade, one edge longer for each term. From three edges on they wait in shift
// registers, as two of the flags beside them always do.
Structure dual_int8_mac(const Values& p) {
  constexpr int kOperandBits = 3 * 9;
  const int terms = p["TERMS"], waits = std::min(terms - 1, 2);
  const int registers = waits * (waits + 1) / 2;
  return {{1}, {1.0 * kOperandBits * registers + terms, 1}, kOperandBits * std::max(terms - 3, 0) + 2, 0, terms + 1};
}

}  // namespace

const std::vector<Twin>& lut_kernel_twins() {
  static const std::vector<Twin> twins{
      {"reload_controller", reload_controller, {{"INPUTS", 9}, {"COEFFICIENT_BITS", 8}}},
      {"lut_multiplier",
       lut_multiplier,
       {{"INPUTS", 9}, {"INPUT_BITS", 8}, {"COEFFICIENT_BITS", 8}, {"FAITHFUL", 0}, {"SHADOW", 1}}},
      {"compressor_tree",
       compressor_tree,
       {{"INPUTS", 9}, {"INPUT_BITS", 8}, {"COEFFICIENT_BITS", 8}, {"FAITHFUL", 0}}},
      {"dual_int8_mac", dual_int8_mac, {{"TERMS", 7}, {"SHIFT", 18}}},
  };
  return twins;
}

}  // namespace fansim::estimate

// SPDX-License-Identifier: Apache-2.0
#include "estimate/float_technology.h"

namespace fansim::estimate {

const char* name(FloatOperator which) {
  switch (which) {
    case FloatOperator::adder:
      return "adder";
    case FloatOperator::multiplier:
      return "multiplier";
    case FloatOperator::array_divider:
      return "array divider";
    case FloatOperator::reciprocal_divider:
      return "reciprocal divider";
  }
  return "";
}

const FloatGates* find_float_gates(FloatOperator which, int exponent_bits, int mantissa_bits, int iterations) {
  for (const FloatGates& op : float_gates())
    if (op.which == which && op.exponent_bits == exponent_bits && op.mantissa_bits == mantissa_bits &&
        op.iterations == iterations)
      return &op;
  return nullptr;
}

const FloatTechnology& tsmc55() {
  static const FloatTechnology technology{
      "tsmc55",
      "assumed: a two-input NAND of 1.44 um2 in 65 nm, shrunk by 0.9 each way; the publication states no area",
      "assumed: an inverter that drives four, 0.5 ps per nm; the publication states no delay",
      "fitted: the trainer in custom-24 takes the 30 mW that the publication states",
      1.17,
      27.5,
      33.47};
  return technology;
}

}  // namespace fansim::estimate

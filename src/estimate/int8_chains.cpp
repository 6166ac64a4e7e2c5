// SPDX-License-Identifier: Apache-2.0
#include "estimate/int8_chains.h"

#include <fmt/format.h>

#include <algorithm>

namespace fansim::estimate {
namespace {

using contract::Resources;

constexpr int kBits = 8;
constexpr int kActivationBits = 9;  // int8 or uint8

// Returns a delay by a number of edges: a register, or a shift register in one LUT with its output register.
Resources delays(int bits, int edges) {
  if (edges < 1) return {};
  const int shifted = edges > 1 ? bits : 0;
  return {0, shifted, bits, 0, shifted};
}

}  // namespace

Resources int8_chains(int products, int terms, int pairs, contract::Shared shared) {
  Resources use;
  for (int first = 0; first < products; first += terms) {
    const int length = std::min(terms, products - first);
    use.dsp += pairs * (length + 1);
    for (int k = 0; k < length; ++k) {
      const int edges = terms - length + k;  // a shorter chain waits for the others
      if (shared == contract::Shared::weight) {
        use += delays(2 * kActivationBits, edges);
        use += delays(pairs * kBits, edges);
      } else {
        use += delays(kActivationBits, edges);
        use += delays(pairs * 2 * kBits, edges - 1);  // the weights in use are in a register anyway
      }
    }
  }
  return use;
}

void refuse_packing(const std::string& key, const char* instead, const contract::Device& device, Fit& fit) {
  if (device.dsp_operand_bits() >= contract::DualInt8Config::kPreAdderBits) return;
  fit.refuse(
      fmt::format("{} on {}: two packed INT8 products need an operand of {} bits, the {} has {}; use {}, a slice "
                  "per product",
                  key, device.name, contract::DualInt8Config::kPreAdderBits, device.dsp_slice_name(),
                  device.dsp_operand_bits(), instead));
}

}  // namespace fansim::estimate

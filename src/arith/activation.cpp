// SPDX-License-Identifier: Apache-2.0
#include "arith/activation.h"

#include <cmath>

#include "arith/fixed.h"

namespace fansim::arith {
namespace {

SigmoidTable make_table() {
  SigmoidTable table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    const double x = (static_cast<double>(i) - 2048) / 256;
    if (x >= -6) {
      const double sigma = x > 6 ? 1 : 1 / (1 + std::exp(-x));
      table[i] = static_cast<std::int16_t>(saturate(static_cast<std::int64_t>(std::floor(sigma * 32768 + 0.5)), 16));
    }
  }
  return table;
}

}  // namespace

const SigmoidTable& sigmoid_table() {
  static const SigmoidTable table = make_table();
  return table;
}

int sigmoid_q15(int pre) { return sigmoid_table()[static_cast<std::size_t>((pre >> 4) + 2048)]; }

int tanh_q15(int pre) {
  const int doubled = static_cast<int>(saturate(2 * pre, 16));
  return static_cast<int>(saturate(2 * sigmoid_q15(doubled) - 32768, 16));
}

}  // namespace fansim::arith

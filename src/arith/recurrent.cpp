// SPDX-License-Identifier: Apache-2.0
#include "arith/recurrent.h"

#include "arith/activation.h"
#include "arith/fixed.h"

namespace fansim::arith {

LstmState lstm_unit(const LstmGates& pre, int c) {
  const int i = sigmoid_q15(pre.i);
  const int f = sigmoid_q15(pre.f);
  const int g = tanh_q15(pre.g);
  const int o = sigmoid_q15(pre.o);
  LstmState next;
  next.c = static_cast<int>(saturate(round_shift(f * c + ((i * g) >> 3), 15), 16));
  next.h = static_cast<int>(saturate(round_shift(o * tanh_q15(next.c), 23), 8));
  return next;
}

int gru_unit(const GruGates& pre, int h) {
  const int r = sigmoid_q15(pre.r);
  const int z = sigmoid_q15(pre.z);
  const int n = tanh_q15(static_cast<int>(saturate(pre.nx + round_shift(r * pre.nh, 15), 16)));
  return static_cast<int>(saturate(round_shift((32768 - z) * n + z * (h * 256), 23), 8));
}

}  // namespace fansim::arith

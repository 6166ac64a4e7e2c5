// SPDX-License-Identifier: Apache-2.0
#include "network/reference/recurrent.h"

#include "network/reference/reference_arithmetic.h"

namespace fansim::network {
namespace {

// Returns v / 2^n, rounded half up, saturated to the given bits.
int fitted(std::int64_t v, int n, int bits) { return static_cast<int>(nearest_of(rounded_quotient(v, n), bits)); }

}  // namespace

LstmState lstm_unit(const LstmGates& pre, int c, int scale, int shift) {
  const std::int64_t kept = std::int64_t{sigmoid_of(pre.f)} * c;                                 // Q3.27
  const std::int64_t added = floor_divide(std::int64_t{sigmoid_of(pre.i)} * tanh_of(pre.g), 8);  // Q0.30 to Q3.27
  LstmState next;
  next.c = fitted(kept + added, 15, 16);
  next.h = fitted(std::int64_t{sigmoid_of(pre.o)} * tanh_of(next.c) * scale, 23 + shift, 8);
  return next;
}

int gru_unit(const GruGates& pre, int h) {
  const int z = sigmoid_of(pre.z);
  const std::int64_t of_hidden = rounded_quotient(std::int64_t{sigmoid_of(pre.r)} * pre.nh, 15);
  const int candidate = tanh_of(static_cast<int>(nearest_of(pre.nx + of_hidden, 16)));
  return fitted(std::int64_t{32768 - z} * candidate + std::int64_t{z} * h * 256, 23, 8);
}

}  // namespace fansim::network

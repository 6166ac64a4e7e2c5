// SPDX-License-Identifier: Apache-2.0
#pragma once

// The recurrent units of the reference executor.
namespace fansim::network {

// Pre-activations of one LSTM unit, Q3.12 in 16 bits.
struct LstmGates {
  int i = 0, f = 0, g = 0, o = 0;
};

struct LstmState {
  int c = 0;  // Q3.12 in 16 bits
  int h = 0;  // Q0.7 in 8 bits
};

// Computes c = f c + i g and h = o tanh(c) scale / 2^shift.
LstmState lstm_unit(const LstmGates& pre, int c, int scale = 1, int shift = 0);

// Pre-activations of one GRU unit, Q3.12 in 16 bits. The candidate keeps its two halves apart: nx = W_n x + b_xn, nh =
// U_n h + b_hn.
struct GruGates {
  int r = 0, z = 0, nx = 0, nh = 0;
};

// Computes n = tanh(nx + r nh) and returns h' = (1 - z) n + z h; h is in Q0.7.
int gru_unit(const GruGates& pre, int h);

}  // namespace fansim::network

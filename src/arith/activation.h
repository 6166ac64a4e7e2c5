// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace fansim::arith {

// sigma over one period of a 16-bit Q3.12 pre-activation in steps of 2^-8: entry i holds sigma((i - 2048) / 256) in
// Q0.15, rounded half up; 0 below -6, 32767 above 6.
using SigmoidTable = std::array<std::int16_t, 4096>;
const SigmoidTable& sigmoid_table();

// Q3.12 in, Q0.15 out: the table at pre >> 4.
int sigmoid_q15(int pre);

// Q3.12 in, Q0.15 out: sat16(2 sigma(sat16(2 pre)) - 1).
int tanh_q15(int pre);

}  // namespace fansim::arith

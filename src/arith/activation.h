// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace fansim::arith {

// The sigmoid of a 16-bit pre-activation in Q3.12, in steps of 2^-8: entry i holds sigma((i - 2048) / 256) in Q0.15,
// rounded half up. Entries are 0 below -6 and 32767 above 6.
using SigmoidTable = std::array<std::int16_t, 4096>;
const SigmoidTable& sigmoid_table();

// Takes Q3.12 and returns Q0.15: the table's entry at pre >> 4.
int sigmoid_q15(int pre);

// Takes Q3.12 and returns Q0.15: sat16(2 sigma(sat16(2 pre)) - 1).
int tanh_q15(int pre);

}  // namespace fansim::arith

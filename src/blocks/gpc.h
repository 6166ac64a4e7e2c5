// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "arith/compressor.h"
#include "primitives/carry8.h"
#include "primitives/lut6_2.h"

// Counters and adders of a compressor tree as a slice makes them: LUT6_2s in front of one CARRY8 (UG574, Carry Logic).
// docs/lut_kernels.md derives them. At the foot of a carry chain the bypass input carries DI, so the first carry is 0.
namespace fansim::blocks {

// Counts the bits of one or two sixes (606;5), one six (6;3) or three (3;2), given in the order of the columns. Returns
// as many bits as arith::shape says, the lowest first.
std::vector<int> count_bits(arith::Counter counter, const std::vector<int>& bits);

// Returns a + b + c modulo 2^width, with one LUT6_2 per bit. O6 is the sum of the bit's inputs and of the carry that
// the LUT below saved; O5 is the carry that this LUT saves.
std::uint64_t add_three(std::uint64_t a, std::uint64_t b, std::uint64_t c, int width);

// Computes a whole tree. `columns` holds the bits of each column.
std::uint64_t compress(const arith::CompressorPlan& plan, std::vector<std::vector<int>> columns);

}  // namespace fansim::blocks

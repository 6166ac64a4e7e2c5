// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "arith/compressor.h"
#include "primitives/carry8.h"
#include "primitives/lut6_2.h"

// Counters and adders of a compressor tree as the slice makes them: LUT6_2s in front of one CARRY8 (UG574, Carry
// Logic); docs/lut_kernels.md derives them. At the foot of a carry chain the bypass input carries DI, so the first
// carry is 0.
namespace fansim::blocks {

// Bits of one or two sixes (606;5), one six (6;3) or three (3;2), in the order of the columns -> as many bits as
// arith::shape says, lowest first.
std::vector<int> count_bits(arith::Counter counter, const std::vector<int>& bits);

// a + b + c modulo 2^width, one LUT6_2 per bit: O6 is the sum of the bit and of the carry that the LUT below saved, O5
// the carry it saves itself.
std::uint64_t add_three(std::uint64_t a, std::uint64_t b, std::uint64_t c, int width);

// A whole tree: `columns` holds the bits of each column.
std::uint64_t compress(const arith::CompressorPlan& plan, std::vector<std::vector<int>> columns);

}  // namespace fansim::blocks

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/stream/config/array.h"
#include "contract/resources.h"

// Multipliers without DSP slices, counted from UltraScale's LUT6_2, CFGLUT5 and CARRY8.
namespace fansim::stream {

// A product of two's complement numbers: pairs of rows summed in the LUTs that form them, then the pairs, pairwise.
int soft_product_luts(int a_bits, int b_bits);

// The MAC array of multiplier lut, lut_reconfigurable or lut_kernel, without the stream of weights.
contract::Resources lut_array(const ArrayConfig& array);

// Of multiplier lut_kernel: what sums the tables' entries of each tap row and output channel; nothing of any other.
contract::Resources compressor_trees(const ArrayConfig& array);

}  // namespace fansim::stream

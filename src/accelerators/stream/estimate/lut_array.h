// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/stream/config/array.h"
#include "contract/resources.h"

// This file estimates multipliers without DSP slices, counted from UltraScale's LUT6_2, CFGLUT5 and CARRY8.
namespace fansim::stream {

// Returns the LUTs of a product of two's complement numbers. Pairs of rows are summed in the LUTs that form them, then
// the sums are added pairwise.
int soft_product_luts(int a_bits, int b_bits);

// Estimates the MAC array for the multipliers lut, lut_reconfigurable and lut_kernel, without the stream of weights.
contract::Resources lut_array(const ArrayConfig& array);

// Estimates what sums the tables' entries of each tap row and output channel, for the multiplier lut_kernel; zero for
// any other.
contract::Resources compressor_trees(const ArrayConfig& array);

}  // namespace fansim::stream

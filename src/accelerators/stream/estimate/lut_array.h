// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/stream/config/array.h"
#include "contract/resources.h"

// Multipliers without DSP slices, counted from UltraScale's LUT6_2, CFGLUT5 and CARRY8.
namespace fansim::stream {

// A product of two's complement numbers: pairs of rows summed in the LUTs that form them, then the pairs, pairwise.
int soft_product_luts(int a_bits, int b_bits);

// The MAC array of multiplier lut or lut_reconfigurable, without the stream of weights.
contract::Resources lut_array(const ArrayConfig& array);

}  // namespace fansim::stream

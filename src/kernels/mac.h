// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fansim::kernels {

// Vectors of one output channel are padded with zeros to this many lanes, so that no loop has a remainder.
constexpr int kLanes = 32;

// products[o][i] = x[i] * weights[o][i] for o < channels, i < lanes (a multiple of kLanes). Factors are at most 9-bit
// by 8-bit signed, so every product is exact in 16 bits.
void multiply(const std::int16_t* x, const std::int16_t* weights, int channels, int lanes, std::int16_t* products);

// sums[o] = sum of products[o][i] over i < lanes.
void sum_rows(const std::int16_t* products, int channels, int lanes, std::int32_t* sums);

// Both in one: sums[o] = sum of x[i] * weights[o][i] over i < lanes.
void dot_rows(const std::int16_t* x, const std::int16_t* weights, int channels, int lanes, std::int32_t* sums);

}  // namespace fansim::kernels

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

// Exact sums of products for the reference executor, in loops the compiler can vectorise.
namespace fansim::network {

// Sum of weights[i] * values[i], of int8 weights and 9-bit values.
std::int64_t dot(const std::int8_t* weights, const std::int16_t* values, std::size_t count);

// Of weights of 16 bits and values of 17.
std::int64_t dot(const std::int32_t* weights, const std::int32_t* values, std::size_t count);

// sums[f * positions + p] = sum over t of weights[f * taps + t] * windows[p * taps + t], of int8 weights and 9-bit
// values; up to kFiltersAtOnce filters, fastest with so many.
constexpr std::size_t kFiltersAtOnce = 4;
void dot_windows(const std::int16_t* weights, std::size_t filters, const std::int16_t* windows, std::size_t taps,
                 std::size_t positions, std::int64_t* sums);

// sums[p] = sum over t of weights[t] * columns[t * positions + p]; `largest` bounds the products' magnitude.
void dot_columns(const std::int32_t* weights, const std::int32_t* columns, std::size_t taps, std::size_t positions,
                 std::int64_t largest, std::int64_t* sums);

}  // namespace fansim::network

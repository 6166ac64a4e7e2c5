// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

// Exact sums of products for the reference executor, in loops that the compiler can vectorise.
namespace fansim::network {

// Returns the sum of weights[i] * values[i] for int8 weights and 9-bit values.
std::int64_t dot(const std::int8_t* weights, const std::int16_t* values, std::size_t count);

// Returns the same for weights of 16 bits and values of 17.
std::int64_t dot(const std::int32_t* weights, const std::int32_t* values, std::size_t count);

// Sets sums[f * positions + p] to the sum over t of weights[f * taps + t] * windows[p * taps + t], for int8 weights and
// 9-bit values. It takes up to kFiltersAtOnce filters and is fastest with that many.
constexpr std::size_t kFiltersAtOnce = 4;
void dot_windows(const std::int16_t* weights, std::size_t filters, const std::int16_t* windows, std::size_t taps,
                 std::size_t positions, std::int64_t* sums);

// Sets sums[p] to the sum over t of weights[t] * columns[t * positions + p]. `largest` bounds the products' magnitude.
void dot_columns(const std::int32_t* weights, const std::int32_t* columns, std::size_t taps, std::size_t positions,
                 std::int64_t largest, std::int64_t* sums);

}  // namespace fansim::network

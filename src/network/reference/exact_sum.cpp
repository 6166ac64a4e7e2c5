// SPDX-License-Identifier: Apache-2.0
#include "network/reference/exact_sum.h"

#include <algorithm>
#include <vector>

#include "base/clones.h"

namespace fansim::network {
namespace {

// A product is at most 128 * 255, so the sum of this many fits 32 bits.
constexpr std::size_t kChunk = 65536;

FANSIM_CLONES std::int32_t dot_chunk(const std::int8_t* weights, const std::int16_t* values, std::size_t count) {
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += weights[i] * values[i];
  return sum;
}

// Windows and filters that are summed at a time, so that what is read is used for several products.
constexpr std::size_t kWindows = 4, kFilters = kFiltersAtOnce;
constexpr std::size_t kTaps = 2048;  // the filters' weights for this many taps stay in the first-level cache

inline __attribute__((always_inline)) void add(const std::int16_t* weights, const std::int16_t* windows,
                                               std::size_t apart, std::size_t count, std::int64_t* sums,
                                               std::size_t positions) {
  std::int32_t s[kFilters][kWindows] = {};
  for (std::size_t t = 0; t < count; ++t)
#pragma GCC unroll 4
    for (std::size_t f = 0; f < kFilters; ++f)
#pragma GCC unroll 4
      for (std::size_t w = 0; w < kWindows; ++w) s[f][w] += weights[f * apart + t] * windows[w * apart + t];
  for (std::size_t f = 0; f < kFilters; ++f)
    for (std::size_t w = 0; w < kWindows; ++w) sums[f * positions + w] += s[f][w];
}

FANSIM_CLONES void add_windows(const std::int16_t* weights, const std::int16_t* windows, std::size_t apart,
                               std::size_t count, std::int64_t* sums, std::size_t positions) {
  add(weights, windows, apart, count, sums, positions);
}

// Does the same on processors that multiply and add 16-bit pairs in one instruction. Checked builds have the plain
// version only.
#if defined(__x86_64__) && !defined(FANSIM_CHECKED)
__attribute__((target("avx512bw,avx512vl,avx512vnni"))) void add_windows_vnni(const std::int16_t* weights,
                                                                              const std::int16_t* windows,
                                                                              std::size_t apart, std::size_t count,
                                                                              std::int64_t* sums,
                                                                              std::size_t positions) {
  add(weights, windows, apart, count, sums, positions);
}
#endif

decltype(&add_windows) best_add_windows() {
#if defined(__x86_64__) && !defined(FANSIM_CHECKED)
  if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni"))
    return add_windows_vnni;
#endif
  return add_windows;
}

FANSIM_CLONES void add_window(const std::int16_t* weights, const std::int16_t* window, std::size_t count,
                              std::int64_t* sum) {
  std::int32_t s = 0;
  for (std::size_t t = 0; t < count; ++t) s += weights[t] * window[t];
  *sum += s;
}

FANSIM_CLONES void add_columns(const std::int32_t* weights, const std::int32_t* columns, std::size_t taps,
                               std::size_t positions, std::int32_t* __restrict sums) {
  for (std::size_t t = 0; t < taps; ++t) {
    const std::int32_t w = weights[t];
    for (std::size_t p = 0; p < positions; ++p) sums[p] += w * columns[t * positions + p];
  }
}

FANSIM_CLONES void add_columns(const std::int32_t* weights, const std::int32_t* columns, std::size_t taps,
                               std::size_t positions, std::int64_t* __restrict sums) {
  for (std::size_t t = 0; t < taps; ++t) {
    const std::int64_t w = weights[t];
    for (std::size_t p = 0; p < positions; ++p) sums[p] += w * columns[t * positions + p];
  }
}

FANSIM_CLONES std::int64_t dot_wide(const std::int32_t* weights, const std::int32_t* values, std::size_t count) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += std::int64_t{weights[i]} * values[i];
  return sum;
}

// Sums `chunk` taps at a time in 32 bits.
template <class Weight, class Value>
void dot_chunks(const Weight* weights, const Value* columns, std::size_t taps, std::size_t positions, std::size_t chunk,
                std::int64_t* sums) {
  std::vector<std::int32_t> partial(positions);
  std::fill(sums, sums + positions, 0);
  for (std::size_t t = 0; t < taps; t += chunk) {
    std::fill(partial.begin(), partial.end(), 0);
    add_columns(weights + t, columns + t * positions, std::min(chunk, taps - t), positions, partial.data());
    for (std::size_t p = 0; p < positions; ++p) sums[p] += partial[p];
  }
}

}  // namespace

std::int64_t dot(const std::int8_t* weights, const std::int16_t* values, std::size_t count) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < count; i += kChunk)
    sum += dot_chunk(weights + i, values + i, std::min(kChunk, count - i));
  return sum;
}

std::int64_t dot(const std::int32_t* weights, const std::int32_t* values, std::size_t count) {
  return dot_wide(weights, values, count);
}

void dot_windows(const std::int16_t* weights, std::size_t filters, const std::int16_t* windows, std::size_t taps,
                 std::size_t positions, std::int64_t* sums) {
  static const auto add_best = best_add_windows();
  std::fill(sums, sums + filters * positions, 0);
  for (std::size_t t = 0; t < taps; t += kTaps) {
    const std::size_t count = std::min(kTaps, taps - t);
    std::size_t p = 0;
    for (; filters == kFilters && p + kWindows <= positions; p += kWindows)
      add_best(weights + t, windows + p * taps + t, taps, count, sums + p, positions);
    for (; p < positions; ++p)
      for (std::size_t f = 0; f < filters; ++f)
        add_window(weights + f * taps + t, windows + p * taps + t, count, &sums[f * positions + p]);
  }
}

void dot_columns(const std::int32_t* weights, const std::int32_t* columns, std::size_t taps, std::size_t positions,
                 std::int64_t largest, std::int64_t* sums) {
  constexpr std::int64_t kWorthwhile = 16;
  const std::int64_t chunk = INT32_MAX / std::max<std::int64_t>(largest, 1);
  if (chunk >= kWorthwhile) {
    dot_chunks(weights, columns, taps, positions, static_cast<std::size_t>(chunk), sums);
  } else {
    std::fill(sums, sums + positions, 0);
    add_columns(weights, columns, taps, positions, sums);
  }
}

}  // namespace fansim::network

// SPDX-License-Identifier: Apache-2.0
#include "network/reference/exact_sum.h"

#include <algorithm>
#include <vector>

#include "base/clones.h"

namespace fansim::network {
namespace {

// A product is at most 128 * 255: this many fit 32 bits.
constexpr std::size_t kChunk = 65536;

FANSIM_CLONES std::int32_t dot_chunk(const std::int8_t* weights, const std::int16_t* values, std::size_t count) {
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += weights[i] * values[i];
  return sum;
}

// Four windows at a time, of two filters: what is read is used for several products.
FANSIM_CLONES void add_windows(const std::int16_t* weights, const std::int16_t* windows, std::size_t apart,
                               std::size_t count, std::int64_t* sums, std::int64_t* second) {
  const std::int16_t *w1 = windows + apart, *w2 = w1 + apart, *w3 = w2 + apart, *others = weights + apart;
  std::int32_t s0 = 0, s1 = 0, s2 = 0, s3 = 0, t0 = 0, t1 = 0, t2 = 0, t3 = 0;
  for (std::size_t t = 0; t < count; ++t) {
    s0 += weights[t] * windows[t];
    s1 += weights[t] * w1[t];
    s2 += weights[t] * w2[t];
    s3 += weights[t] * w3[t];
    t0 += others[t] * windows[t];
    t1 += others[t] * w1[t];
    t2 += others[t] * w2[t];
    t3 += others[t] * w3[t];
  }
  sums[0] += s0, sums[1] += s1, sums[2] += s2, sums[3] += s3;
  second[0] += t0, second[1] += t1, second[2] += t2, second[3] += t3;
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

// `chunk` taps at a time in 32-bit sums.
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
  std::fill(sums, sums + filters * positions, 0);
  for (std::size_t t = 0; t < taps; t += kChunk) {
    const std::size_t count = std::min(kChunk, taps - t);
    std::size_t p = 0;
    for (; filters == 2 && p + 4 <= positions; p += 4)
      add_windows(weights + t, windows + p * taps + t, taps, count, sums + p, sums + positions + p);
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

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace fansim::kernels {

// Vectors of one output channel are padded with zeros to a multiple of this many lanes, so that no loop has a
// remainder.
constexpr int kLanes = 32;

// Sets products[o][i] = x[i] * weights[o][i] for o < channels and i < lanes (a multiple of kLanes). Factors are at most
// 9-bit by 8-bit signed, so every product is exact in 16 bits.
void multiply(const std::int16_t* x, const std::int16_t* weights, int channels, int lanes, std::int16_t* products);

// Sets sums[o] to the sum of x[i] * weights[o][i] over i < lanes.
void dot_rows(const std::int16_t* x, const std::int16_t* weights, int channels, int lanes, std::int32_t* sums);
// The variants that this processor can run, the fastest first; for tests.
struct DotRows {
  const char* name;
  void (*run)(const std::int16_t* x, const std::int16_t* weights, int channels, int lanes, std::int32_t* sums);
};
std::vector<DotRows> dot_rows_variants();

// Copies a few values. Below 128 bytes, calling memcpy() takes longer than copying.
template <class T>
inline void copy_few(const T* from, int values, T* to) {
  constexpr int kBlock = 16 / static_cast<int>(sizeof(T));
  if (values < kBlock || values >= 8 * kBlock) {
    std::copy_n(from, values, to);
    return;
  }
  int i = 0;
  for (; i + 2 * kBlock <= values; i += 2 * kBlock) std::memcpy(to + i, from + i, 32);
  if (i + kBlock <= values) std::memcpy(to + i, from + i, 16);
  if (values % kBlock != 0) std::memcpy(to + values - kBlock, from + values - kBlock, 16);
}

// Sets to[i] = a[i] + b[i], modulo 2^32, for a few i. `to` may be `a` or `b`.
inline void add_few(const std::int32_t* a, const std::int32_t* b, int values, std::int32_t* to) {
  constexpr int kBlock = 4;
  using Block __attribute__((vector_size(kBlock * sizeof(std::uint32_t)))) = std::uint32_t;
  int i = 0;
  for (; i + kBlock <= values; i += kBlock) {
    Block sums, more;
    std::memcpy(&sums, a + i, sizeof sums);
    std::memcpy(&more, b + i, sizeof more);
    sums += more;
    std::memcpy(to + i, &sums, sizeof sums);
  }
  for (; i < values; ++i)
    to[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(a[i]) + static_cast<std::uint32_t>(b[i]));
}

template <class Byte>
inline void widen_bytes(const std::uint8_t* from, int values, std::int16_t* to) {
  constexpr int kBlock = 8;
  using Narrow __attribute__((vector_size(kBlock))) = Byte;
  using Wide __attribute__((vector_size(kBlock * sizeof(std::int16_t)))) = std::int16_t;
  int i = 0;
  for (; i + kBlock <= values; i += kBlock) {
    Narrow narrow;
    std::memcpy(&narrow, from + i, sizeof narrow);
    const Wide wide = __builtin_convertvector(narrow, Wide);
    std::memcpy(to + i, &wide, sizeof wide);
  }
  for (; i < values; ++i) to[i] = static_cast<Byte>(from[i]);
}

// Widens values of one byte, signed or unsigned, to 16 bits. Values of two bytes are copied.
inline void widen(const std::uint8_t* from, int values, int bytes, bool is_unsigned, std::int16_t* to) {
  if (bytes == 2)
    std::memcpy(to, from, static_cast<std::size_t>(values) * 2);
  else if (is_unsigned)
    widen_bytes<std::uint8_t>(from, values, to);
  else
    widen_bytes<std::int8_t>(from, values, to);
}

}  // namespace fansim::kernels

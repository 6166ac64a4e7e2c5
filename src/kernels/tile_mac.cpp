// SPDX-License-Identifier: Apache-2.0
#include "kernels/tile_mac.h"

#include <cstddef>
#include <cstring>

#include "kernels/vector.h"

#ifdef FANSIM_X86_64
#include <immintrin.h>
#endif

namespace fansim::kernels {
namespace {

void plain(const std::int16_t* x, const std::int16_t* weights, int pairs, int channels, std::int32_t* sums) {
  for (int p = 0; p < pairs; ++p) {
    const std::int16_t* row = weights + std::ptrdiff_t{p} * channels * 2;
    for (int o = 0; o < channels; ++o) {
      const auto even = static_cast<std::uint32_t>(x[2 * p] * row[2 * o]);
      const auto odd = static_cast<std::uint32_t>(x[2 * p + 1] * row[2 * o + 1]);
      sums[o] = static_cast<std::int32_t>(static_cast<std::uint32_t>(sums[o]) + even + odd);
    }
  }
}

#ifdef FANSIM_X86_64

int pair_at(const std::int16_t* x, int p) {
  int pair;
  std::memcpy(&pair, x + std::ptrdiff_t{2} * p, sizeof pair);
  return pair;
}

// N vectors of sums stay in registers over all pairs. VPDPWSSD and VPMADDWD form two products and their sum modulo 2^32
// (Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2).
#define FANSIM_VNNI __attribute__((target("avx512f,avx512bw,avx512vnni")))
template <int N>
FANSIM_VNNI void vnni_block(const std::int16_t* x, const std::int16_t* weights, int pairs, int channels,
                            std::int32_t* sums) {
  __m512i acc[N];
#pragma GCC unroll 8
  for (int n = 0; n < N; ++n) acc[n] = _mm512_loadu_si512(sums + std::ptrdiff_t{16} * n);
  for (int p = 0; p < pairs; ++p) {
    const __m512i pair = _mm512_set1_epi32(pair_at(x, p));
    const std::int16_t* row = weights + std::ptrdiff_t{p} * channels * 2;
#pragma GCC unroll 8
    for (int n = 0; n < N; ++n)
      acc[n] = _mm512_dpwssd_epi32(acc[n], pair, _mm512_loadu_si512(row + std::ptrdiff_t{32} * n));
  }
#pragma GCC unroll 8
  for (int n = 0; n < N; ++n) _mm512_storeu_si512(sums + std::ptrdiff_t{16} * n, acc[n]);
}

#define FANSIM_AVX2 __attribute__((target("avx2")))
template <int N>
FANSIM_AVX2 void avx2_block(const std::int16_t* x, const std::int16_t* weights, int pairs, int channels,
                            std::int32_t* sums) {
  __m256i acc[2 * N];
  auto* to = reinterpret_cast<__m256i*>(sums);
#pragma GCC unroll 8
  for (int n = 0; n < 2 * N; ++n) acc[n] = _mm256_loadu_si256(to + n);
  for (int p = 0; p < pairs; ++p) {
    const __m256i pair = _mm256_set1_epi32(pair_at(x, p));
    const auto* row = reinterpret_cast<const __m256i*>(weights + std::ptrdiff_t{p} * channels * 2);
#pragma GCC unroll 8
    for (int n = 0; n < 2 * N; ++n)
      acc[n] = _mm256_add_epi32(acc[n], _mm256_madd_epi16(pair, _mm256_loadu_si256(row + n)));
  }
#pragma GCC unroll 8
  for (int n = 0; n < 2 * N; ++n) _mm256_storeu_si256(to + n, acc[n]);
}

void vnni(const std::int16_t* x, const std::int16_t* weights, int pairs, int channels, std::int32_t* sums) {
  int o = 0;
  for (; o + 128 <= channels; o += 128) vnni_block<8>(x, weights + 2 * o, pairs, channels, sums + o);
  for (; o + 64 <= channels; o += 64) vnni_block<4>(x, weights + 2 * o, pairs, channels, sums + o);
  for (; o < channels; o += 16) vnni_block<1>(x, weights + 2 * o, pairs, channels, sums + o);
}

void avx2(const std::int16_t* x, const std::int16_t* weights, int pairs, int channels, std::int32_t* sums) {
  int o = 0;
  for (; o + 64 <= channels; o += 64) avx2_block<4>(x, weights + 2 * o, pairs, channels, sums + o);
  for (; o < channels; o += 16) avx2_block<1>(x, weights + 2 * o, pairs, channels, sums + o);
}

#endif

}  // namespace

std::vector<MultiplyAdd> multiply_add_variants() {
  std::vector<MultiplyAdd> found;
#ifdef FANSIM_X86_64
  if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vnni")) found.push_back({"vnni", vnni});
  if (__builtin_cpu_supports("avx2")) found.push_back({"avx2", avx2});
#endif
  found.push_back({"plain", plain});
  return found;
}

void multiply_add(const std::int16_t* x, const std::int16_t* weights, int pairs, int channels, std::int32_t* sums) {
  static const auto run = multiply_add_variants().front().run;
  run(x, weights, pairs, channels, sums);
}

}  // namespace fansim::kernels

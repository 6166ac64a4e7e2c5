// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstring>

#include "kernels/tile_mac.h"
#include "kernels/vector.h"

#ifdef FANSIM_X86_64
#include <immintrin.h>
#endif

namespace fansim::kernels {
namespace {

constexpr int kBytes = 4;

void plain(const std::uint8_t* x, const std::int8_t* weights, int quads, int channels, std::int32_t* sums) {
  for (int q = 0; q < quads; ++q, x += kBytes)
    for (int o = 0; o < channels; ++o, weights += kBytes) {
      auto sum = static_cast<std::uint32_t>(sums[o]);
      for (int i = 0; i < kBytes; ++i) sum += static_cast<std::uint32_t>(x[i] * weights[i]);
      sums[o] = static_cast<std::int32_t>(sum);
    }
}

#ifdef FANSIM_X86_64

int quad_at(const std::uint8_t* x, int q) {
  int quad;
  std::memcpy(&quad, x + std::ptrdiff_t{kBytes} * q, sizeof quad);
  return quad;
}

// N vectors of sums stay in registers over all quads. VPDPBUSD adds four products of unsigned and signed bytes modulo
// 2^32 (Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2).
#define FANSIM_VNNI __attribute__((target("avx512f,avx512bw,avx512vnni")))
template <int N>
FANSIM_VNNI void vnni_block(const std::uint8_t* x, const std::int8_t* weights, int quads, int channels,
                            std::int32_t* sums) {
  __m512i acc[N];
#pragma GCC unroll 8
  for (int n = 0; n < N; ++n) acc[n] = _mm512_loadu_si512(sums + std::ptrdiff_t{16} * n);
  for (int q = 0; q < quads; ++q) {
    const __m512i quad = _mm512_set1_epi32(quad_at(x, q));
    const std::int8_t* row = weights + std::ptrdiff_t{q} * channels * kBytes;
#pragma GCC unroll 8
    for (int n = 0; n < N; ++n)
      acc[n] = _mm512_dpbusd_epi32(acc[n], quad, _mm512_loadu_si512(row + std::ptrdiff_t{64} * n));
  }
#pragma GCC unroll 8
  for (int n = 0; n < N; ++n) _mm512_storeu_si512(sums + std::ptrdiff_t{16} * n, acc[n]);
}

void vnni(const std::uint8_t* x, const std::int8_t* weights, int quads, int channels, std::int32_t* sums) {
  int o = 0;
  for (; o + 128 <= channels; o += 128) vnni_block<8>(x, weights + o * kBytes, quads, channels, sums + o);
  for (; o + 64 <= channels; o += 64) vnni_block<4>(x, weights + o * kBytes, quads, channels, sums + o);
  for (; o < channels; o += 16) vnni_block<1>(x, weights + o * kBytes, quads, channels, sums + o);
}

// Computes eight channels. Bytes are widened to 16 bits, and sums of two products fit 32 bits.
__attribute__((target("avx2"))) void avx2_block(const std::uint8_t* x, const std::int8_t* weights, int quads,
                                                int channels, std::int32_t* sums) {
  __m256i low = _mm256_setzero_si256(), high = low;  // channels 0 .. 3 and 4 .. 7, two partial sums each
  for (int q = 0; q < quads; ++q) {
    const __m256i quad = _mm256_broadcastq_epi64(_mm_cvtepu8_epi16(_mm_cvtsi32_si128(quad_at(x, q))));
    const auto* row = reinterpret_cast<const __m128i*>(weights + std::ptrdiff_t{q} * channels * kBytes);
    low = _mm256_add_epi32(low, _mm256_madd_epi16(quad, _mm256_cvtepi8_epi16(_mm_loadu_si128(row))));
    high = _mm256_add_epi32(high, _mm256_madd_epi16(quad, _mm256_cvtepi8_epi16(_mm_loadu_si128(row + 1))));
  }
  auto* to = reinterpret_cast<__m256i*>(sums);
  const __m256i both = _mm256_permute4x64_epi64(_mm256_hadd_epi32(low, high), 0b11011000);
  _mm256_storeu_si256(to, _mm256_add_epi32(_mm256_loadu_si256(to), both));
}

void avx2(const std::uint8_t* x, const std::int8_t* weights, int quads, int channels, std::int32_t* sums) {
  for (int o = 0; o < channels; o += 8) avx2_block(x, weights + o * kBytes, quads, channels, sums + o);
}

#endif

}  // namespace

std::vector<MultiplyAddBytes> multiply_add_bytes_variants() {
  std::vector<MultiplyAddBytes> found;
#ifdef FANSIM_X86_64
  if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vnni")) found.push_back({"vnni", vnni});
  if (__builtin_cpu_supports("avx2")) found.push_back({"avx2", avx2});
#endif
  found.push_back({"plain", plain});
  return found;
}

void multiply_add_bytes(const std::uint8_t* x, const std::int8_t* weights, int quads, int channels,
                        std::int32_t* sums) {
  static const auto run = multiply_add_bytes_variants().front().run;
  run(x, weights, quads, channels, sums);
}

}  // namespace fansim::kernels

// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "kernels/tile_mac.h"
#include "kernels/vector.h"

#ifdef FANSIM_X86_64
#include <immintrin.h>
#endif

namespace fansim::kernels {
namespace {

void plain(const std::int16_t* x, const std::int16_t* weights, int pairs, int channels, std::int64_t* sums) {
  for (int p = 0; p < pairs; ++p) {
    const std::int16_t* row = weights + std::ptrdiff_t{p} * channels * 2;
    for (int o = 0; o < channels; ++o)
      sums[o] += std::int64_t{x[2 * p] * row[2 * o]} + std::int64_t{x[2 * p + 1] * row[2 * o + 1]};
  }
}

#ifdef FANSIM_X86_64

// Computes eight channels. With one factor of each pair set to zero, VPMADDWD gives the other factor's product. That
// product fits 32 bits; a sum of two would not.
__attribute__((target("avx2"))) void avx2_block(const std::int16_t* x, const std::int16_t* weights, int pairs,
                                                int channels, std::int64_t* sums) {
  const __m256i even = _mm256_set1_epi32(0xffff);
  auto* to = reinterpret_cast<__m256i*>(sums);
  __m256i low = _mm256_loadu_si256(to), high = _mm256_loadu_si256(to + 1);  // channels 0 .. 3 and 4 .. 7
  for (int p = 0; p < pairs; ++p) {
    const __m256i pair = _mm256_set1_epi32(static_cast<std::uint16_t>(x[2 * p]) | x[2 * p + 1] * 65536);
    const auto* row = reinterpret_cast<const __m256i*>(weights + std::ptrdiff_t{p} * channels * 2);
    const __m256i now = _mm256_loadu_si256(row);
    for (const __m256i factor : {_mm256_and_si256(pair, even), _mm256_andnot_si256(even, pair)}) {
      const __m256i products = _mm256_madd_epi16(factor, now);
      low = _mm256_add_epi64(low, _mm256_cvtepi32_epi64(_mm256_castsi256_si128(products)));
      high = _mm256_add_epi64(high, _mm256_cvtepi32_epi64(_mm256_extracti128_si256(products, 1)));
    }
  }
  _mm256_storeu_si256(to, low);
  _mm256_storeu_si256(to + 1, high);
}

void avx2(const std::int16_t* x, const std::int16_t* weights, int pairs, int channels, std::int64_t* sums) {
  for (int o = 0; o < channels; o += 8) avx2_block(x, weights + std::ptrdiff_t{2} * o, pairs, channels, sums + o);
}

#endif

}  // namespace

std::vector<MultiplyAddWide> multiply_add_wide_variants() {
  std::vector<MultiplyAddWide> found;
#ifdef FANSIM_X86_64
  if (__builtin_cpu_supports("avx2")) found.push_back({"avx2", avx2});
#endif
  found.push_back({"plain", plain});
  return found;
}

void multiply_add_wide(const std::int16_t* x, const std::int16_t* weights, int pairs, int channels,
                       std::int64_t* sums) {
  static const auto run = multiply_add_wide_variants().front().run;
  run(x, weights, pairs, channels, sums);
}

}  // namespace fansim::kernels

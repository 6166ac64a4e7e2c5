// SPDX-License-Identifier: Apache-2.0
#include "kernels/mac.h"

#include "kernels/vector.h"

#ifdef FANSIM_X86_64
#include <immintrin.h>
#endif

namespace fansim::kernels {
namespace {

[[gnu::noinline]] void plain_rows(const std::int16_t* x, const std::int16_t* weights, int channels, int lanes,
                                  std::int32_t* sums) {
  for (int o = 0; o < channels; ++o, weights += lanes) {
    std::int32_t sum = 0;
    for (int i = 0; i < lanes; ++i) sum += std::int32_t{x[i]} * weights[i];
    sums[o] = sum;
  }
}

#ifdef FANSIM_X86_64

// Channels whose sums stay in registers; reducing each channel alone would double the time.
constexpr int kEight = 8;

__attribute__((target("avx2"))) inline void add_up(const __m256i* of, std::int32_t* sums) {
  __m256i fours[2];  // the lower half has a quarter of each channel's sum, the upper half another
  for (int i = 0; i < 2; ++i, of += kEight / 2)
    fours[i] = _mm256_hadd_epi32(_mm256_hadd_epi32(of[0], of[1]), _mm256_hadd_epi32(of[2], of[3]));
  const __m256i low = _mm256_permute2x128_si256(fours[0], fours[1], 0x20);
  const __m256i high = _mm256_permute2x128_si256(fours[0], fours[1], 0x31);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(sums), _mm256_add_epi32(low, high));
}

__attribute__((target("avx2"))) inline __m256i avx2_sums(const std::int16_t* x, const std::int16_t* weights) {
  return _mm256_madd_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(x)),
                           _mm256_loadu_si256(reinterpret_cast<const __m256i*>(weights)));
}

__attribute__((target("avx2"))) void avx2_eight(const std::int16_t* x, const std::int16_t* weights, int lanes,
                                                std::int32_t* sums) {
  __m256i of[kEight];
  for (int o = 0; o < kEight; ++o) of[o] = avx2_sums(x, weights + o * lanes);
  for (int i = 16; i < lanes; i += 16)
    for (int o = 0; o < kEight; ++o) of[o] = _mm256_add_epi32(of[o], avx2_sums(x + i, weights + o * lanes + i));
  add_up(of, sums);
}

__attribute__((target("avx2,avx512f,avx512bw"))) inline __m512i avx512_sums(const std::int16_t* x,
                                                                            const std::int16_t* weights) {
  return _mm512_madd_epi16(_mm512_loadu_si512(x), _mm512_loadu_si512(weights));
}

__attribute__((target("avx2,avx512f,avx512bw"))) void avx512_eight(const std::int16_t* x, const std::int16_t* weights,
                                                                   int lanes, std::int32_t* sums) {
  __m512i of[kEight];
#pragma GCC unroll 8
  for (int o = 0; o < kEight; ++o) of[o] = avx512_sums(x, weights + o * lanes);
  for (int i = 32; i < lanes; i += 32)
#pragma GCC unroll 8
    for (int o = 0; o < kEight; ++o) of[o] = _mm512_add_epi32(of[o], avx512_sums(x + i, weights + o * lanes + i));
  __m256i halves[kEight];
#pragma GCC unroll 8
  for (int o = 0; o < kEight; ++o)
    halves[o] = _mm256_add_epi32(_mm512_maskz_extracti64x4_epi64(0xf, of[o], 0),
                                 _mm512_maskz_extracti64x4_epi64(0xf, of[o], 1));
  add_up(halves, sums);
}

template <void (*Eight)(const std::int16_t*, const std::int16_t*, int, std::int32_t*)>
void by_eight(const std::int16_t* x, const std::int16_t* weights, int channels, int lanes, std::int32_t* sums) {
  for (; channels >= kEight; channels -= kEight, weights += kEight * lanes, sums += kEight)
    Eight(x, weights, lanes, sums);
  if (channels > 0) plain_rows(x, weights, channels, lanes, sums);
}

#endif

}  // namespace

FANSIM_CLONES
void multiply(const std::int16_t* __restrict x, const std::int16_t* __restrict weights, int channels, int lanes,
              std::int16_t* __restrict products) {
  for (int o = 0; o < channels; ++o) {
    for (int block = 0; block < lanes; block += kLanes) {
      for (int i = 0; i < kLanes; ++i) {
        const int at = o * lanes + block + i;
        products[at] = static_cast<std::int16_t>(x[block + i] * weights[at]);
      }
    }
  }
}

std::vector<DotRows> dot_rows_variants() {
  std::vector<DotRows> found;
#ifdef FANSIM_X86_64
  if (__builtin_cpu_supports("avx512bw")) found.push_back({"avx512bw", by_eight<avx512_eight>});
  if (__builtin_cpu_supports("avx2")) found.push_back({"avx2", by_eight<avx2_eight>});
#endif
  found.push_back({"plain", plain_rows});
  return found;
}

namespace {
const auto fastest_rows = dot_rows_variants().front().run;
}

void dot_rows(const std::int16_t* x, const std::int16_t* weights, int channels, int lanes, std::int32_t* sums) {
  fastest_rows(x, weights, channels, lanes, sums);
}

}  // namespace fansim::kernels

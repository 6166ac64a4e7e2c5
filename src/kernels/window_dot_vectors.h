// SPDX-License-Identifier: Apache-2.0
#pragma once

#if defined(__x86_64__)

#include <immintrin.h>

#include <cstdint>
#include <cstring>
#include <utility>

#include "kernels/window_dot.h"

#define FANSIM_AVX2 __attribute__((target("avx2")))
#define FANSIM_AVX512 __attribute__((target("avx2,avx512f,avx512bw,avx512vl")))
#define FANSIM_VNNI __attribute__((target("avx2,avx512f,avx512vl,avx512vnni")))

namespace fansim::kernels {

inline std::int32_t quad_of(const std::uint8_t* x) {
  std::int32_t quad;
  std::memcpy(&quad, x, kQuad);
  return quad;
}

// So many windows at once, whose sums stay in registers: they share each load of weights, and slices each load of a
// window. Versions differ in what they multiply with.
struct Avx2 {
  template <int Slices>
  static constexpr int kMost = 4 / Slices;

  // Bytes are widened to 16 bits: sums of two products of bytes would not fit 16 bits.
  template <int Slices, int Windows>
  FANSIM_AVX2 static void windows(const WindowDot& dot, int first) {
    const std::uint8_t* window = dot.x + first * dot.window_step;
    __m256i low[Slices][Windows], high[Slices][Windows];  // channels 0 .. 3, 4 .. 7, two sums each
    for (int s = 0; s < Slices; ++s)
      for (int w = 0; w < Windows; ++w) low[s][w] = high[s][w] = _mm256_setzero_si256();
    for (int q = 0; q < dot.quads; ++q) {
      const std::uint8_t* x = window + dot.offsets[q];
      __m256i now[Slices][2];
      for (int s = 0; s < Slices; ++s) {
        const auto* weights = reinterpret_cast<const __m128i*>(dot.slices[s].weights + q * kChannels * kQuad);
        now[s][0] = _mm256_cvtepi8_epi16(_mm_loadu_si128(weights));
        now[s][1] = _mm256_cvtepi8_epi16(_mm_loadu_si128(weights + 1));
      }
      for (int w = 0; w < Windows; ++w) {
        const __m256i quad = _mm256_cvtepu8_epi16(_mm_set1_epi32(quad_of(x + w * dot.window_step)));
        for (int s = 0; s < Slices; ++s) {
          low[s][w] = _mm256_add_epi32(low[s][w], _mm256_madd_epi16(quad, now[s][0]));
          high[s][w] = _mm256_add_epi32(high[s][w], _mm256_madd_epi16(quad, now[s][1]));
        }
      }
    }
    for (int s = 0; s < Slices; ++s) {
      const __m256i start = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(dot.slices[s].start));
      for (int w = 0; w < Windows; ++w) {
        auto* to = reinterpret_cast<__m256i*>(dot.slices[s].sums + (first + w) * dot.sum_step);
        __m256i sums = _mm256_permute4x64_epi64(_mm256_hadd_epi32(low[s][w], high[s][w]), 0b11011000);
        sums = _mm256_add_epi32(sums, start);
        if (dot.add) sums = _mm256_add_epi32(sums, _mm256_loadu_si256(to));
        _mm256_storeu_si256(to, sums);
      }
    }
  }
};

// As with AVX2, all channels of a slice in one register.
struct Avx512 {
  template <int Slices>
  static constexpr int kMost = 8;

  template <int Slices, int Windows>
  FANSIM_AVX512 static void windows(const WindowDot& dot, int first) {
    const std::uint8_t* window = dot.x + first * dot.window_step;
    __m512i pairs[Slices][Windows];  // two sums of each channel
    for (int s = 0; s < Slices; ++s)
      for (int w = 0; w < Windows; ++w) pairs[s][w] = _mm512_setzero_si512();
    for (int q = 0; q < dot.quads; ++q) {
      const std::uint8_t* x = window + dot.offsets[q];
      __m512i now[Slices];
      for (int s = 0; s < Slices; ++s)
        now[s] = _mm512_cvtepi8_epi16(
            _mm256_loadu_si256(reinterpret_cast<const __m256i*>(dot.slices[s].weights + q * kChannels * kQuad)));
      for (int w = 0; w < Windows; ++w) {
        const __m512i quad = _mm512_cvtepu8_epi16(_mm256_set1_epi32(quad_of(x + w * dot.window_step)));
        for (int s = 0; s < Slices; ++s) pairs[s][w] = _mm512_add_epi32(pairs[s][w], _mm512_madd_epi16(quad, now[s]));
      }
    }
    for (int s = 0; s < Slices; ++s) {
      const __m256i start = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(dot.slices[s].start));
      for (int w = 0; w < Windows; ++w) {
        auto* to = reinterpret_cast<__m256i*>(dot.slices[s].sums + (first + w) * dot.sum_step);
        // A pair's other sum moves into its upper half; the lower halves are the channels' sums.
        const __m512i both = _mm512_add_epi32(pairs[s][w], pairs[s][w] >> 32);
        __m256i sums = _mm256_add_epi32(_mm512_maskz_cvtepi64_epi32(0xff, both), start);
        if (dot.add) sums = _mm256_add_epi32(sums, _mm256_loadu_si256(to));
        _mm256_storeu_si256(to, sums);
      }
    }
  }
};

// VPDPBUSD. Around the intrinsic, _mm256_dpbusd_epi32, GCC 12 copies the sums, before and after.
FANSIM_VNNI inline __m256i add_products(__m256i sums, __m256i bytes, __m256i weights) {
  asm("vpdpbusd %2, %1, %0" : "+v"(sums) : "v"(bytes), "v"(weights));
  return sums;
}

struct Vnni {
  template <int Slices>
  static constexpr int kMost = 8;

  template <int Slices, int Windows>
  FANSIM_VNNI static void windows(const WindowDot& dot, int first) {
    const std::uint8_t* window = dot.x + first * dot.window_step;
    __m256i sums[Slices][Windows];
    for (int s = 0; s < Slices; ++s) {
      const __m256i start = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(dot.slices[s].start));
      const std::int32_t* before = dot.slices[s].sums + first * dot.sum_step;
      for (int w = 0; w < Windows; ++w)
        sums[s][w] = dot.add
                         ? _mm256_add_epi32(
                               start, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(before + w * dot.sum_step)))
                         : start;
    }
    for (int q = 0; q < dot.quads; ++q) {
      const std::uint8_t* x = window + dot.offsets[q];
      __m256i now[Slices];
      for (int s = 0; s < Slices; ++s)
        now[s] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(dot.slices[s].weights + q * kChannels * kQuad));
      for (int w = 0; w < Windows; ++w) {
        const __m256i quad = _mm256_set1_epi32(quad_of(x + w * dot.window_step));
        for (int s = 0; s < Slices; ++s) sums[s][w] = add_products(sums[s][w], quad, now[s]);
      }
    }
    for (int s = 0; s < Slices; ++s)
      for (int w = 0; w < Windows; ++w)
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(dot.slices[s].sums + (first + w) * dot.sum_step), sums[s][w]);
  }
};

// As many windows at once as registers allow, in pieces of about the same length.
template <class Version, int Slices, int... Piece>
void in_pieces(const WindowDot& dot, std::integer_sequence<int, Piece...>) {
  constexpr int kMost = sizeof...(Piece);
  constexpr void (*kPieces[kMost])(const WindowDot&, int) = {Version::template windows<Slices, Piece + 1>...};
  const int pieces = (dot.windows + kMost - 1) / kMost;
  for (int piece = 0, first = 0; piece < pieces; ++piece) {
    const int end = static_cast<int>(std::int64_t{dot.windows} * (piece + 1) / pieces);
    kPieces[end - first - 1](dot, first);
    first = end;
  }
}

template <class Version>
void window_dot_by(const WindowDot& dot) {
  if (dot.slice_count == 2)
    in_pieces<Version, 2>(dot, std::make_integer_sequence<int, Version::template kMost<2>>());
  else
    in_pieces<Version, 1>(dot, std::make_integer_sequence<int, Version::template kMost<1>>());
}

}  // namespace fansim::kernels

#endif

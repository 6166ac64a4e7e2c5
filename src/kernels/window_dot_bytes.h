// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/vector.h"

#ifdef FANSIM_X86_64

#include <cstddef>
#include <cstdint>

#include "kernels/window_dot_vectors.h"

namespace fansim::kernels {

// Returns the addresses of windows that lie `step` apart without an addition: the distance to any small window number
// is an odd multiple of the step, shifted.
template <int Windows>
struct WindowSteps {
  std::ptrdiff_t odd[(Windows + 1) / 2];
  explicit WindowSteps(std::ptrdiff_t step) {
    for (int i = 0; i < (Windows + 1) / 2; ++i) odd[i] = (2 * i + 1) * step;
  }
  const std::uint8_t* at(const std::uint8_t* x, int w) const {
    if (w == 0) return x;
    const int shift = __builtin_ctz(static_cast<unsigned>(w));
    return x + (odd[w >> (shift + 1)] << shift);
  }
};

// Adds the products of a quad's bytes and weights to a channel's sum, in one instruction. It is written in assembly
// because GCC 12 copies the sums before and after the intrinsics (_mm256_dpbusd_epi32 and the like).
struct VnniProducts {
  static constexpr int kMostWindows = 14;
  FANSIM_AVX2 static __m256i add(__m256i sums, __m256i bytes, __m256i weights) {
    asm("vpdpbusd %2, %1, %0" : "+x"(sums) : "x"(bytes), "x"(weights));
    return sums;
  }
  FANSIM_AVX512 static __m512i add(__m512i sums, __m512i bytes, __m512i weights) {
    asm("vpdpbusd %2, %1, %0" : "+v"(sums) : "v"(bytes), "v"(weights));
    return sums;
  }
};

// Does the same in three instructions, for bytes below 128: the sum of two products then fits the 16 bits to which
// VPMADDUBSW saturates.
struct LowProducts {
  static constexpr int kMostWindows = 12;
  FANSIM_AVX2 static __m256i add(__m256i sums, __m256i bytes, __m256i weights) {
    const __m256i pairs = _mm256_maddubs_epi16(bytes, weights);
    return _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
  }
  FANSIM_AVX512 static __m512i add(__m512i sums, __m512i bytes, __m512i weights) {
    const __m512i pairs = _mm512_maddubs_epi16(bytes, weights);
    return _mm512_add_epi32(sums, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)));
  }
};

// Computes a slice by itself. Its sums for each window stay in a register.
template <class Products, int Windows>
FANSIM_AVX2 void slice_windows(const WindowDot& dot, const DotSlice& slice, int first) {
  std::int32_t* to = slice.sums + first * dot.sum_step;
  const WindowSteps<Windows> steps(dot.window_step);
  const __m256i start = half(slice.start);
  __m256i sums[Windows];
  // Loops over `sums` have constant bounds, so that they are unrolled and the sums stay in registers.
#pragma GCC unroll 8
  for (int w = 0; w < Windows; ++w) sums[w] = dot.add ? _mm256_add_epi32(start, half(to + w * dot.sum_step)) : start;
  for (const DotRound* round = dot.rounds; round != dot.rounds + dot.round_count; ++round) {
    const std::uint8_t* window = round->x + first * dot.window_step;
    const std::int8_t* of = round->weights + slice.weights;
    for (int q = 0; q < dot.quads; ++q) {
      const std::uint8_t* x = window + dot.offsets[q];
      const __m256i weights = half(of + q * kChannels * kQuad);
      for (int w = 0; w < Windows; ++w) sums[w] = Products::add(sums[w], quad_everywhere(steps.at(x, w)), weights);
    }
  }
#pragma GCC unroll 8
  for (int w = 0; w < Windows; ++w) _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + w * dot.sum_step), sums[w]);
}

template <class Products>
struct HalfRegisters {
  static constexpr int kSlices = 1;
  template <int Slices>
  static constexpr int kMost = 8;

  template <int Slices, int Windows>
  FANSIM_AVX2 static void windows(const WindowDot& dot, const DotSlice* slices, int first) {
    slice_windows<Products, Windows>(dot, *slices, first);
  }
};

// Computes two slices in one register of twice the width.
template <class Products>
struct WholeRegisters {
  static constexpr int kSlices = 4;
  static constexpr int kAhead = 1024;  // bytes of a slice's weights that are prefetched
  template <int Slices>
  static constexpr int kMost = Slices == 1 ? 8 : Products::kMostWindows;

  template <int Slices, int Windows>
  FANSIM_AVX512 static void windows(const WindowDot& dot, const DotSlice* slices, int first) {
    if constexpr (Slices == 1)
      slice_windows<Products, Windows>(dot, slices[0], first);
    else
      pairs<Slices / 2, Windows>(dot, slices, first);
  }

 private:
  template <int Pairs, int Windows>
  FANSIM_AVX512 static void pairs(const WindowDot& dot, const DotSlice* slices, int first) {
    bool joined = true;
    for (int p = 0; p < Pairs; ++p) joined = joined && slices[2 * p].sums + kChannels == slices[2 * p + 1].sums;
    joined ? pairs<Pairs, Windows, true>(dot, slices, first) : pairs<Pairs, Windows, false>(dot, slices, first);
  }

  // `Joined` says that the sums of a pair of slices lie one behind the other.
  template <int Pairs, int Windows, bool Joined>
  FANSIM_AVX512 static void pairs(const WindowDot& dot, const DotSlice* slices, int first) {
    const std::ptrdiff_t from = first * dot.sum_step;
    const WindowSteps<Windows> steps(dot.window_step);
    __m512i sums[Pairs][Windows];
#pragma GCC unroll 2
    for (int p = 0; p < Pairs; ++p) {
      const DotSlice &low = slices[2 * p], &high = slices[2 * p + 1];
      const __m512i start = halves(low.start, high.start);
#pragma GCC unroll 14
      for (int w = 0; w < Windows; ++w) {
        const std::ptrdiff_t at = from + w * dot.sum_step;
        sums[p][w] = start;
        if (dot.add)
          sums[p][w] = _mm512_add_epi32(
              start, Joined ? _mm512_loadu_si512(low.sums + at) : halves(low.sums + at, high.sums + at));
      }
    }
    for (const DotRound* round = dot.rounds; round != dot.rounds + dot.round_count; ++round) {
      const std::uint8_t* window = round->x + first * dot.window_step;
      const std::int8_t* of[2 * Pairs];
      for (int s = 0; s < 2 * Pairs; ++s) of[s] = round->weights + slices[s].weights;
      for (int q = 0; q < dot.quads; ++q) {
        const std::uint8_t* x = window + dot.offsets[q];
        const int at = q * kChannels * kQuad;
        __m512i weights[Pairs];
        for (int p = 0; p < Pairs; ++p) weights[p] = halves(of[2 * p] + at, of[2 * p + 1] + at);
        for (int s = 0; s < 2 * Pairs; ++s)
          _mm_prefetch(reinterpret_cast<const char*>(of[s] + at + kAhead), _MM_HINT_T0);
        for (int w = 0; w < Windows; ++w) {
          const __m512i quad = _mm512_set1_epi32(quad_of(steps.at(x, w)));
          for (int p = 0; p < Pairs; ++p) sums[p][w] = Products::add(sums[p][w], quad, weights[p]);
        }
      }
    }
#pragma GCC unroll 2
    for (int p = 0; p < Pairs; ++p) {
      std::int32_t *const low = slices[2 * p].sums + from, *const high = slices[2 * p + 1].sums + from;
#pragma GCC unroll 14
      for (int w = 0; w < Windows; ++w) {
        const std::ptrdiff_t at = w * dot.sum_step;
        if constexpr (Joined)
          _mm512_storeu_si512(low + at, sums[p][w]);
        else
          put_halves(low + at, high + at, sums[p][w]);
      }
    }
  }

  FANSIM_AVX512 static __m512i halves(const void* low, const void* high) {
    return _mm512_maskz_inserti64x4(0xff, _mm512_castsi256_si512(half(low)), half(high), 1);
  }
  FANSIM_AVX512 static void put_halves(void* low, void* high, __m512i both) {
    _mm256_storeu_si256(static_cast<__m256i*>(low), _mm512_maskz_extracti64x4_epi64(0xf, both, 0));
    _mm256_storeu_si256(static_cast<__m256i*>(high), _mm512_maskz_extracti64x4_epi64(0xf, both, 1));
  }
};

}  // namespace fansim::kernels

#endif

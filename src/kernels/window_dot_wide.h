// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/vector.h"

#ifdef FANSIM_X86_64

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels/window_dot_vectors.h"

namespace fansim::kernels {

// Uses what every x86-64 processor has. Bytes are widened to 16 bits, because sums of two products of bytes would not
// fit 16 bits.
template <class Weights>
struct Sse2 {
  static constexpr int kSlices = 1;
  template <int Slices>
  static constexpr int kMost = Weights::kMostWindows;

  template <int Slices, int Windows>
  static void windows(const WindowDot& dot, const DotSlice* slices, int first) {
    const DotSlice& slice = *slices;
    __m128i pairs[Windows][kChannels / 2];  // pairs of channels, two partial sums each
#pragma GCC unroll 3
    for (auto& of : pairs)
#pragma GCC unroll 4
      for (__m128i& pair : of) pair = _mm_setzero_si128();
    for (const DotRound* round = dot.rounds; round != dot.rounds + dot.round_count; ++round) {
      const std::uint8_t* window = round->x + first * dot.window_step;
      const std::int8_t* of = round->weights + slice.weights;
      for (int q = 0; q < dot.quads; ++q) {
        const std::uint8_t* x = window + dot.offsets[q];
        const Weights weights(of + q * kChannels * kQuad * Weights::kBytes);
#pragma GCC unroll 3
        for (int w = 0; w < Windows; ++w) {
          const __m128i quad = _mm_unpacklo_epi8(_mm_set1_epi32(quad_of(x + w * dot.window_step)), _mm_setzero_si128());
#pragma GCC unroll 4
          for (int i = 0; i < kChannels / 2; ++i) pairs[w][i] = _mm_add_epi32(pairs[w][i], weights.times(quad, i));
        }
      }
    }
#pragma GCC unroll 3
    for (int w = 0; w < Windows; ++w)
#pragma GCC unroll 2
      for (int i = 0; i < 2; ++i) {
        auto* to = reinterpret_cast<__m128i*>(slice.sums + (first + w) * dot.sum_step) + i;
        const __m128 a = _mm_castsi128_ps(pairs[w][2 * i]), b = _mm_castsi128_ps(pairs[w][2 * i + 1]);
        __m128i sums = _mm_add_epi32(_mm_castps_si128(_mm_shuffle_ps(a, b, 0b10001000)),
                                     _mm_castps_si128(_mm_shuffle_ps(a, b, 0b11011101)));
        sums = _mm_add_epi32(sums, _mm_loadu_si128(reinterpret_cast<const __m128i*>(slice.start) + i));
        if (dot.add) sums = _mm_add_epi32(sums, _mm_loadu_si128(to));
        _mm_storeu_si128(to, sums);
      }
  }
};

// A quad's weights of a slice, two channels in a register. This version widens the bytes for a few windows at a time.
class Sse2Bytes {
 public:
  static constexpr int kBytes = 1, kMostWindows = 2;
  explicit Sse2Bytes(const std::int8_t* weights) {
    const auto* bytes = reinterpret_cast<const __m128i*>(weights);
    const __m128i low = _mm_loadu_si128(bytes), high = _mm_loadu_si128(bytes + 1);
    now_[0] = widened(_mm_unpacklo_epi8(low, low));
    now_[1] = widened(_mm_unpackhi_epi8(low, low));
    now_[2] = widened(_mm_unpacklo_epi8(high, high));
    now_[3] = widened(_mm_unpackhi_epi8(high, high));
  }
  __m128i times(__m128i quad, int i) const { return _mm_madd_epi16(quad, now_[i]); }

 private:
  // Widens bytes, each of which lies in its 16 bits twice.
  static __m128i widened(__m128i twice) { return _mm_srai_epi16(twice, 8); }

  __m128i now_[kChannels / 2];
};

// This version reads weights that were widened beforehand for all windows, from where they lie, so that registers are
// left for sums.
class Sse2Widened {
 public:
  static constexpr int kBytes = 2, kMostWindows = 3;
  static void widen(const std::int8_t* from, int count, std::int16_t* to) { std::copy_n(from, count, to); }
  explicit Sse2Widened(const std::int8_t* weights) : at_(reinterpret_cast<const __m128i*>(weights)) {}
  __m128i times(__m128i quad, int i) const {
    asm("pmaddwd %1, %0" : "+x"(quad) : "m"(at_[i]));
    return quad;
  }

 private:
  const __m128i* at_;
};

// Works like the SSE2 version, with half of a slice's channels in a register.
template <class Weights>
struct Avx2 {
  static constexpr int kSlices = 2;
  template <int Slices>
  static constexpr int kMost = Weights::kMostWindows / Slices;

  template <int Slices, int Windows>
  FANSIM_AVX2 static void windows(const WindowDot& dot, const DotSlice* slices, int first) {
    __m256i low[Slices][Windows], high[Slices][Windows];  // channels 0 .. 3 and 4 .. 7, two partial sums each
#pragma GCC unroll 2
    for (int s = 0; s < Slices; ++s)
#pragma GCC unroll 6
      for (int w = 0; w < Windows; ++w) low[s][w] = high[s][w] = _mm256_setzero_si256();
    for (const DotRound* round = dot.rounds; round != dot.rounds + dot.round_count; ++round) {
      const std::uint8_t* window = round->x + first * dot.window_step;
      for (int q = 0; q < dot.quads; ++q) {
        const std::uint8_t* x = window + dot.offsets[q];
        const std::int8_t* of = round->weights + q * kChannels * kQuad * Weights::kBytes;
        Weights weights[Slices];
#pragma GCC unroll 2
        for (int s = 0; s < Slices; ++s) weights[s].take(of + slices[s].weights);
#pragma GCC unroll 6
        for (int w = 0; w < Windows; ++w) {
          const __m256i quad = _mm256_cvtepu8_epi16(_mm256_castsi256_si128(quad_everywhere(x + w * dot.window_step)));
#pragma GCC unroll 2
          for (int s = 0; s < Slices; ++s) {
            low[s][w] = _mm256_add_epi32(low[s][w], weights[s].times(quad, 0));
            high[s][w] = _mm256_add_epi32(high[s][w], weights[s].times(quad, 1));
          }
        }
      }
    }
#pragma GCC unroll 2
    for (int s = 0; s < Slices; ++s) {
      const __m256i start = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(slices[s].start));
#pragma GCC unroll 6
      for (int w = 0; w < Windows; ++w) {
        auto* to = reinterpret_cast<__m256i*>(slices[s].sums + (first + w) * dot.sum_step);
        __m256i sums = _mm256_permute4x64_epi64(_mm256_hadd_epi32(low[s][w], high[s][w]), 0b11011000);
        sums = _mm256_add_epi32(sums, start);
        if (dot.add) sums = _mm256_add_epi32(sums, _mm256_loadu_si256(to));
        _mm256_storeu_si256(to, sums);
      }
    }
  }
};

class Avx2Bytes {
 public:
  static constexpr int kBytes = 1, kMostWindows = 4;
  FANSIM_AVX2 void take(const std::int8_t* weights) {
    for (int i = 0; i < 2; ++i)
      now_[i] = _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(weights) + i));
  }
  FANSIM_AVX2 __m256i times(__m256i quad, int i) const { return _mm256_madd_epi16(quad, now_[i]); }

 private:
  __m256i now_[2];
};

class Avx2Widened {
 public:
  static constexpr int kBytes = 2, kMostWindows = 6;
  FANSIM_AVX2 static void widen(const std::int8_t* from, int count, std::int16_t* to) { std::copy_n(from, count, to); }
  void take(const std::int8_t* weights) { at_ = reinterpret_cast<const __m256i*>(weights); }
  FANSIM_AVX2 __m256i times(__m256i quad, int i) const {
    __m256i products;
    asm("vpmaddwd %2, %1, %0" : "=x"(products) : "x"(quad), "m"(at_[i]));
    return products;
  }

 private:
  const __m256i* at_;
};

// Works like the AVX2 version, with all channels of a slice in one register.
struct Avx512 {
  static constexpr int kSlices = 4;
  template <int Slices>
  static constexpr int kMost = Slices == 4 ? 6 : 8;

  template <int Slices, int Windows>
  FANSIM_AVX512 static void windows(const WindowDot& dot, const DotSlice* slices, int first) {
    __m512i pairs[Slices][Windows];  // two partial sums of each channel
#pragma GCC unroll 4
    for (int s = 0; s < Slices; ++s)
#pragma GCC unroll 8
      for (int w = 0; w < Windows; ++w) pairs[s][w] = _mm512_setzero_si512();
    for (const DotRound* round = dot.rounds; round != dot.rounds + dot.round_count; ++round) {
      const std::uint8_t* window = round->x + first * dot.window_step;
      for (int q = 0; q < dot.quads; ++q) {
        const std::uint8_t* x = window + dot.offsets[q];
        __m512i now[Slices];
#pragma GCC unroll 4
        for (int s = 0; s < Slices; ++s) {
          const std::int8_t* weights = round->weights + slices[s].weights + q * kChannels * kQuad;
          now[s] = _mm512_cvtepi8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(weights)));
        }
#pragma GCC unroll 8
        for (int w = 0; w < Windows; ++w) {
          const __m512i quad = _mm512_cvtepu8_epi16(_mm256_set1_epi32(quad_of(x + w * dot.window_step)));
#pragma GCC unroll 4
          for (int s = 0; s < Slices; ++s) pairs[s][w] = _mm512_add_epi32(pairs[s][w], _mm512_madd_epi16(quad, now[s]));
        }
      }
    }
#pragma GCC unroll 4
    for (int s = 0; s < Slices; ++s) {
      const __m256i start = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(slices[s].start));
#pragma GCC unroll 8
      for (int w = 0; w < Windows; ++w) {
        auto* to = reinterpret_cast<__m256i*>(slices[s].sums + (first + w) * dot.sum_step);
        // A pair's second sum is shifted onto the first, and the lower halves then hold the channels' sums.
        const __m512i both = _mm512_add_epi32(pairs[s][w], pairs[s][w] >> 32);
        __m256i sums = _mm256_add_epi32(_mm512_maskz_cvtepi64_epi32(0xff, both), start);
        if (dot.add) sums = _mm256_add_epi32(sums, _mm256_loadu_si256(to));
        _mm256_storeu_si256(to, sums);
      }
    }
  }
};

// Computes slices in groups whose weights are widened once and then shared by all windows. It does so only if a cache
// holds the widened weights and enough windows use them.
template <template <class> class Version, class Bytes, class Widened>
void widened_slices(const WindowDot& dot) {
  constexpr int kMostValues = 12 * 1024, kMostRounds = 8, kTimes = 3;
  using Of = Version<Widened>;
  const int values = dot.quads * kChannels * kQuad;  // values of a slice's round
  if (dot.windows < kTimes * Of::template kMost<1> || dot.round_count > kMostRounds ||
      std::int64_t{values} * dot.round_count * Of::kSlices > kMostValues)
    return all_slices<Version<Bytes>>(dot);
  alignas(64) std::int16_t room[kMostValues];
  DotRound rounds[kMostRounds];
  WindowDot some = dot;
  some.rounds = rounds;
  for (int done = 0; done < dot.slice_count; done += some.slice_count) {
    some.slice_count = std::min(dot.slice_count - done, Of::kSlices);
    std::int16_t* to = room;
    for (int r = 0; r < dot.round_count; ++r) {
      rounds[r] = {dot.rounds[r].x, reinterpret_cast<const std::int8_t*>(to)};
      for (int s = 0; s < some.slice_count; ++s, to += values)
        Widened::widen(dot.rounds[r].weights + dot.slices[done + s].weights, values, to);
    }
    for (int s = 0; s < some.slice_count; ++s) {
      some.slices[s] = dot.slices[done + s];
      some.slices[s].weights = std::ptrdiff_t{s} * values * Widened::kBytes;
    }
    all_slices<Of>(some);
  }
}

}  // namespace fansim::kernels

#endif

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

namespace fansim::kernels {

inline std::int32_t quad_of(const std::uint8_t* x) {
  std::int32_t quad;
  std::memcpy(&quad, x, kQuad);
  return quad;
}

FANSIM_AVX2 inline __m256i half(const void* from) { return _mm256_loadu_si256(static_cast<const __m256i*>(from)); }

// A quad, as often as a register has room. From the intrinsics GCC 12 makes a load and a shuffle.
FANSIM_AVX2 inline __m256i quad_everywhere(const std::uint8_t* x) {
  __m256i quads;
  asm("vpbroadcastd %1, %0" : "=x"(quads) : "m"(*reinterpret_cast<const std::uint8_t(*)[kQuad]>(x)));
  return quads;
}

// Windows that lie `step` apart, by addresses that take no addition: of any small number, an odd one is shifted.
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

// The products of a quad's bytes and weights, added to a channel's sum: in one instruction. Around the intrinsics,
// _mm256_dpbusd_epi32 and its like, GCC 12 copies the sums, before and after.
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

// In three, of bytes below 128: two products together fit the 16 bits to which VPMADDUBSW saturates.
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

// So many windows at once, whose sums stay in registers: they share each load of weights, and slices each load of a
// window. Versions differ in what they multiply with, and in how many slices they take at once.

// What every processor of this architecture has. Bytes are widened to 16 bits: sums of two products of bytes would not
// fit 16 bits.
struct Sse2 {
  static constexpr int kSlices = 1;
  template <int Slices>
  static constexpr int kMost = 2;

  template <int Slices, int Windows>
  static void windows(const WindowDot& dot, const DotSlice* slices, int first) {
    const DotSlice& slice = *slices;
    __m128i pairs[Windows][kChannels / 2];  // of two channels, two sums each
#pragma GCC unroll 2
    for (auto& of : pairs)
#pragma GCC unroll 4
      for (__m128i& pair : of) pair = _mm_setzero_si128();
    for (const DotRound* round = dot.rounds; round != dot.rounds + dot.round_count; ++round) {
      const std::uint8_t* window = round->x + first * dot.window_step;
      const std::int8_t* of = round->weights + slice.weights;
      for (int q = 0; q < dot.quads; ++q) {
        const std::uint8_t* x = window + dot.offsets[q];
        const auto* bytes = reinterpret_cast<const __m128i*>(of + q * kChannels * kQuad);
        const __m128i low = _mm_loadu_si128(bytes), high = _mm_loadu_si128(bytes + 1);
        const __m128i weights[] = {widened(_mm_unpacklo_epi8(low, low)), widened(_mm_unpackhi_epi8(low, low)),
                                   widened(_mm_unpacklo_epi8(high, high)), widened(_mm_unpackhi_epi8(high, high))};
#pragma GCC unroll 2
        for (int w = 0; w < Windows; ++w) {
          const __m128i quad = _mm_unpacklo_epi8(_mm_set1_epi32(quad_of(x + w * dot.window_step)), _mm_setzero_si128());
#pragma GCC unroll 4
          for (int i = 0; i < kChannels / 2; ++i)
            pairs[w][i] = _mm_add_epi32(pairs[w][i], _mm_madd_epi16(quad, weights[i]));
        }
      }
    }
#pragma GCC unroll 2
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

 private:
  // Of bytes that lie there twice.
  static __m128i widened(__m128i twice) { return _mm_srai_epi16(twice, 8); }
};

// As with SSE2, half of a slice's channels in a register.
struct Avx2 {
  static constexpr int kSlices = 2;
  template <int Slices>
  static constexpr int kMost = 4 / Slices;

  template <int Slices, int Windows>
  FANSIM_AVX2 static void windows(const WindowDot& dot, const DotSlice* slices, int first) {
    __m256i low[Slices][Windows], high[Slices][Windows];  // channels 0 .. 3, 4 .. 7, two sums each
    for (int s = 0; s < Slices; ++s)
      for (int w = 0; w < Windows; ++w) low[s][w] = high[s][w] = _mm256_setzero_si256();
    for (const DotRound* round = dot.rounds; round != dot.rounds + dot.round_count; ++round) {
      const std::uint8_t* window = round->x + first * dot.window_step;
      for (int q = 0; q < dot.quads; ++q) {
        const std::uint8_t* x = window + dot.offsets[q];
        __m256i now[Slices][2];
        for (int s = 0; s < Slices; ++s) {
          const auto* weights =
              reinterpret_cast<const __m128i*>(round->weights + slices[s].weights + q * kChannels * kQuad);
          now[s][0] = _mm256_cvtepi8_epi16(_mm_loadu_si128(weights));
          now[s][1] = _mm256_cvtepi8_epi16(_mm_loadu_si128(weights + 1));
        }
        for (int w = 0; w < Windows; ++w) {
          const __m256i quad = _mm256_cvtepu8_epi16(_mm256_castsi256_si128(quad_everywhere(x + w * dot.window_step)));
          for (int s = 0; s < Slices; ++s) {
            low[s][w] = _mm256_add_epi32(low[s][w], _mm256_madd_epi16(quad, now[s][0]));
            high[s][w] = _mm256_add_epi32(high[s][w], _mm256_madd_epi16(quad, now[s][1]));
          }
        }
      }
    }
    for (int s = 0; s < Slices; ++s) {
      const __m256i start = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(slices[s].start));
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

// As with AVX2, all channels of a slice in one register.
struct Avx512 {
  static constexpr int kSlices = 4;
  template <int Slices>
  static constexpr int kMost = Slices == 4 ? 6 : 8;

  template <int Slices, int Windows>
  FANSIM_AVX512 static void windows(const WindowDot& dot, const DotSlice* slices, int first) {
    __m512i pairs[Slices][Windows];  // two sums of each channel
    for (int s = 0; s < Slices; ++s)
      for (int w = 0; w < Windows; ++w) pairs[s][w] = _mm512_setzero_si512();
    for (const DotRound* round = dot.rounds; round != dot.rounds + dot.round_count; ++round) {
      const std::uint8_t* window = round->x + first * dot.window_step;
      for (int q = 0; q < dot.quads; ++q) {
        const std::uint8_t* x = window + dot.offsets[q];
        __m512i now[Slices];
        for (int s = 0; s < Slices; ++s) {
          const std::int8_t* weights = round->weights + slices[s].weights + q * kChannels * kQuad;
          now[s] = _mm512_cvtepi8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(weights)));
        }
        for (int w = 0; w < Windows; ++w) {
          const __m512i quad = _mm512_cvtepu8_epi16(_mm256_set1_epi32(quad_of(x + w * dot.window_step)));
          for (int s = 0; s < Slices; ++s) pairs[s][w] = _mm512_add_epi32(pairs[s][w], _mm512_madd_epi16(quad, now[s]));
        }
      }
    }
    for (int s = 0; s < Slices; ++s) {
      const __m256i start = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(slices[s].start));
      for (int w = 0; w < Windows; ++w) {
        auto* to = reinterpret_cast<__m256i*>(slices[s].sums + (first + w) * dot.sum_step);
        // A pair's other sum moves into its upper half; the lower halves are the channels' sums.
        const __m512i both = _mm512_add_epi32(pairs[s][w], pairs[s][w] >> 32);
        __m256i sums = _mm256_add_epi32(_mm512_maskz_cvtepi64_epi32(0xff, both), start);
        if (dot.add) sums = _mm256_add_epi32(sums, _mm256_loadu_si256(to));
        _mm256_storeu_si256(to, sums);
      }
    }
  }
};

// A slice by itself, its sums in a register for each window.
template <class Products, int Windows>
FANSIM_AVX2 void slice_windows(const WindowDot& dot, const DotSlice& slice, int first) {
  std::int32_t* to = slice.sums + first * dot.sum_step;
  const WindowSteps<Windows> steps(dot.window_step);
  const __m256i start = half(slice.start);
  __m256i sums[Windows];
  // Loops over sums are unrolled, or these lie in memory.
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

// Two slices lie in one register of twice the width.
template <class Products>
struct WholeRegisters {
  static constexpr int kSlices = 4;
  static constexpr int kAhead = 1024;  // bytes of a slice's weights, fetched before they are used
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

  // `Joined`: the sums of a pair lie one behind the other.
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

// As many windows at once as registers allow, in pieces of about the same length.
template <class Version, int Slices, int... Piece>
void in_pieces(const WindowDot& dot, const DotSlice* slices, std::integer_sequence<int, Piece...>) {
  constexpr int kMost = sizeof...(Piece);
  constexpr void (*kPieces[kMost])(const WindowDot&, const DotSlice*,
                                   int) = {Version::template windows<Slices, Piece + 1>...};
  const int pieces = (dot.windows + kMost - 1) / kMost;
  for (int piece = 0, first = 0; piece < pieces; ++piece) {
    const int end = static_cast<int>(std::int64_t{dot.windows} * (piece + 1) / pieces);
    kPieces[end - first - 1](dot, slices, first);
    first = end;
  }
}

// The largest power of two of slices that are left.
template <class Version, int Slices>
const DotSlice* take_slices(const WindowDot& dot, const DotSlice* slices, const DotSlice* end) {
  for (; end - slices >= Slices; slices += Slices)
    in_pieces<Version, Slices>(dot, slices, std::make_integer_sequence<int, Version::template kMost<Slices>>());
  return slices;
}

template <class Version>
void all_slices(const WindowDot& dot) {
  const DotSlice *slices = dot.slices, *end = slices + dot.slice_count;
  if constexpr (Version::kSlices >= 4) slices = take_slices<Version, 4>(dot, slices, end);
  if constexpr (Version::kSlices >= 2) slices = take_slices<Version, 2>(dot, slices, end);
  take_slices<Version, 1>(dot, slices, end);
}

// `Low`: where all bytes are below 128.
template <class Version, class Low>
void window_dot_by(const WindowDot& dot) {
  dot.low ? all_slices<Low>(dot) : all_slices<Version>(dot);
}

}  // namespace fansim::kernels

#endif

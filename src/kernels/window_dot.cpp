// SPDX-License-Identifier: Apache-2.0
#include "kernels/window_dot.h"

#include <algorithm>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "kernels/vector.h"

namespace fansim::kernels {

namespace {

void slice_plain(const WindowDot& dot, const DotSlice& slice) {
  for (int w = 0; w < dot.windows; ++w) {
    std::uint32_t sums[kChannels];
    std::int32_t* to = slice.sums + w * dot.sum_step;
    for (int c = 0; c < kChannels; ++c)
      sums[c] = static_cast<std::uint32_t>(slice.start[c]) + (dot.add ? static_cast<std::uint32_t>(to[c]) : 0);
    const std::uint8_t* window = dot.x + w * dot.window_step;
    for (int q = 0; q < dot.quads; ++q) {
      const std::uint8_t* x = window + dot.offsets[q];
      const std::int8_t* weights = slice.weights + q * kChannels * kQuad;
      for (int c = 0; c < kChannels; ++c)
        for (int i = 0; i < kQuad; ++i) sums[c] += static_cast<std::uint32_t>(x[i] * weights[c * kQuad + i]);
    }
    for (int c = 0; c < kChannels; ++c) to[c] = static_cast<std::int32_t>(sums[c]);
  }
}

void window_dot_plain(const WindowDot& dot) {
  for (int i = 0; i < dot.slice_count; ++i) slice_plain(dot, dot.slices[i]);
}

void pack_quads_plain(const QuadPack& pack, std::int8_t* packed, std::int32_t* sums) {
  std::fill_n(sums, kChannels, 0);
  for (int q = 0; q < pack.quads; ++q) {
    for (int c = 0; c < kChannels; ++c, packed += kQuad) {
      std::memset(packed, 0, kQuad);
      if (c < pack.channels) std::memcpy(packed, pack.weights + pack.offsets[q] + c * pack.channel_step, kQuad);
      for (int i = 0; i < kQuad; ++i) sums[c] += packed[i];
    }
  }
}

#if defined(__x86_64__)

std::int32_t quad_of(const std::uint8_t* x) {
  std::int32_t quad;
  std::memcpy(&quad, x, kQuad);
  return quad;
}

#define FANSIM_AVX2 __attribute__((target("avx2")))
#define FANSIM_VNNI __attribute__((target("avx2,avx512f,avx512vl,avx512vnni")))

// Channels that do not exist are masked out of the gather.
FANSIM_AVX2 void pack_quads_avx2(const QuadPack& pack, std::int8_t* packed, std::int32_t* sums) {
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  const __m256i index = _mm256_mullo_epi32(lane, _mm256_set1_epi32(pack.channel_step));
  const __m256i mask = _mm256_cmpgt_epi32(_mm256_set1_epi32(pack.channels), lane);
  const __m256i bytes = _mm256_set1_epi8(1), pairs = _mm256_set1_epi16(1);
  __m256i total = _mm256_setzero_si256();
  // Sums of two weights fit the 16 bits to which maddubs saturates.
  for (int q = 0; q < pack.quads; ++q) {
    const int* from = reinterpret_cast<const int*>(pack.weights + pack.offsets[q]);
    const __m256i quads = _mm256_mask_i32gather_epi32(_mm256_setzero_si256(), from, index, mask, 1);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(packed + q * kChannels * kQuad), quads);
    total = _mm256_add_epi32(total, _mm256_madd_epi16(_mm256_maddubs_epi16(bytes, quads), pairs));
  }
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(sums), total);
}

// Bytes are widened to 16 bits: sums of two products of bytes would not fit 16 bits.
FANSIM_AVX2 void slice_avx2(const WindowDot& dot, const DotSlice& slice) {
  for (int w = 0; w < dot.windows; ++w) {
    const std::uint8_t* window = dot.x + w * dot.window_step;
    __m256i low = _mm256_setzero_si256(), high = low;  // channels 0 .. 3, 4 .. 7, two sums each
    for (int q = 0; q < dot.quads; ++q) {
      const __m128i x = _mm_cvtepu8_epi16(_mm_cvtsi32_si128(quad_of(window + dot.offsets[q])));
      const __m256i both = _mm256_broadcastq_epi64(x);
      const auto* weights = reinterpret_cast<const __m128i*>(slice.weights + q * kChannels * kQuad);
      low = _mm256_add_epi32(low, _mm256_madd_epi16(both, _mm256_cvtepi8_epi16(_mm_loadu_si128(weights))));
      high = _mm256_add_epi32(high, _mm256_madd_epi16(both, _mm256_cvtepi8_epi16(_mm_loadu_si128(weights + 1))));
    }
    auto* to = reinterpret_cast<__m256i*>(slice.sums + w * dot.sum_step);
    __m256i sums = _mm256_permute4x64_epi64(_mm256_hadd_epi32(low, high), 0b11011000);
    sums = _mm256_add_epi32(sums, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(slice.start)));
    if (dot.add) sums = _mm256_add_epi32(sums, _mm256_loadu_si256(to));
    _mm256_storeu_si256(to, sums);
  }
}

FANSIM_AVX2 void window_dot_avx2(const WindowDot& dot) {
  for (int i = 0; i < dot.slice_count; ++i) slice_avx2(dot, dot.slices[i]);
}

// The sums of so many windows stay in registers, and share each load of weights; slices share each load of a window.
template <int Slices, int Windows>
FANSIM_VNNI void windows_vnni(const WindowDot& dot, int first) {
  const std::uint8_t* window = dot.x + first * dot.window_step;
  const std::int8_t* weights[Slices];
  __m256i sums[Slices][Windows];
  for (int s = 0; s < Slices; ++s) {
    weights[s] = dot.slices[s].weights;
    const __m256i start = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(dot.slices[s].start));
    const std::int32_t* before = dot.slices[s].sums + first * dot.sum_step;
    for (int w = 0; w < Windows; ++w)
      sums[s][w] = dot.add ? _mm256_add_epi32(
                                 start, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(before + w * dot.sum_step)))
                           : start;
  }
  for (int q = 0; q < dot.quads; ++q) {
    const std::uint8_t* x = window + dot.offsets[q];
    __m256i now[Slices];
    for (int s = 0; s < Slices; ++s)
      now[s] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(weights[s] + q * kChannels * kQuad));
    for (int w = 0; w < Windows; ++w) {
      const __m256i quad = _mm256_set1_epi32(quad_of(x + w * dot.window_step));
      for (int s = 0; s < Slices; ++s) sums[s][w] = _mm256_dpbusd_epi32(sums[s][w], quad, now[s]);
    }
  }
  for (int s = 0; s < Slices; ++s)
    for (int w = 0; w < Windows; ++w)
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(dot.slices[s].sums + (first + w) * dot.sum_step), sums[s][w]);
}

// As many windows at once as leave registers for their weights, in pieces of about the same length.
template <int Slices>
FANSIM_VNNI void slices_vnni(const WindowDot& dot) {
  constexpr int kMost = 12;
  constexpr void (*kPieces[kMost])(const WindowDot&, int) = {
      windows_vnni<Slices, 1>, windows_vnni<Slices, 2>,  windows_vnni<Slices, 3>,  windows_vnni<Slices, 4>,
      windows_vnni<Slices, 5>, windows_vnni<Slices, 6>,  windows_vnni<Slices, 7>,  windows_vnni<Slices, 8>,
      windows_vnni<Slices, 9>, windows_vnni<Slices, 10>, windows_vnni<Slices, 11>, windows_vnni<Slices, 12>};
  const int pieces = (dot.windows + kMost - 1) / kMost;
  for (int piece = 0, first = 0; piece < pieces; ++piece) {
    const int end = static_cast<int>(std::int64_t{dot.windows} * (piece + 1) / pieces);
    kPieces[end - first - 1](dot, first);
    first = end;
  }
}

FANSIM_VNNI void window_dot_vnni(const WindowDot& dot) {
  if (dot.slice_count == 2)
    slices_vnni<2>(dot);
  else
    slices_vnni<1>(dot);
}

bool has_avx2() { return __builtin_cpu_supports("avx2"); }
bool has_vnni() {
  return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512vnni");
}

#else

constexpr auto window_dot_avx2 = window_dot_plain, window_dot_vnni = window_dot_plain;
constexpr auto pack_quads_avx2 = pack_quads_plain;
bool has_avx2() { return false; }
bool has_vnni() { return false; }

#endif

const DotVersion& best() {
  static const DotVersion& version =
      *std::find_if(dot_versions(), dot_versions() + kDotVersions, [](const DotVersion& v) { return v.supported; });
  return version;
}

}  // namespace

const DotVersion* dot_versions() {
  static const DotVersion versions[kDotVersions] = {
      {"vnni", has_vnni(), window_dot_vnni, pack_quads_avx2},
      {"avx2", has_avx2(), window_dot_avx2, pack_quads_avx2},
      {"plain", true, window_dot_plain, pack_quads_plain},
  };
  return versions;
}

void window_dot(const WindowDot& dot) { best().window_dot(dot); }

void pack_quads(const QuadPack& pack, std::int8_t* packed, std::int32_t* sums) {
  best().pack_quads(pack, packed, sums);
}

FANSIM_CLONES void window_dot_pairs(const WindowDot& dot) {
  for (int i = 0; i < dot.slice_count; ++i) {
    const DotSlice& slice = dot.slices[i];
    for (int w = 0; w < dot.windows; ++w) {
      std::uint32_t sums[kChannels];
      std::int32_t* to = slice.sums + w * dot.sum_step;
      for (int c = 0; c < kChannels; ++c)
        sums[c] = static_cast<std::uint32_t>(slice.start[c]) + (dot.add ? static_cast<std::uint32_t>(to[c]) : 0);
      const std::uint8_t* window = dot.x + w * dot.window_step;
      for (int q = 0; q < dot.quads; ++q) {
        std::int16_t x[2], weights[2 * kChannels];
        std::memcpy(x, window + dot.offsets[q], sizeof(x));
        std::memcpy(weights, slice.weights + q * kChannels * kQuad, sizeof(weights));
        for (int c = 0; c < kChannels; ++c)
          sums[c] +=
              static_cast<std::uint32_t>(x[0] * weights[2 * c]) + static_cast<std::uint32_t>(x[1] * weights[2 * c + 1]);
      }
      for (int c = 0; c < kChannels; ++c) to[c] = static_cast<std::int32_t>(sums[c]);
    }
  }
}

void pack_pairs(const QuadPack& pack, std::int8_t* packed, std::int32_t* sums) {
  std::fill_n(sums, kChannels, 0);
  for (int q = 0; q < pack.quads; ++q) {
    for (int c = 0; c < kChannels; ++c, packed += kQuad) {
      std::memset(packed, 0, kQuad);
      if (c < pack.channels) std::memcpy(packed, pack.weights + pack.offsets[q] + c * pack.channel_step, kQuad);
      std::int16_t pair[2];
      std::memcpy(pair, packed, sizeof(pair));
      sums[c] += pair[0] + pair[1];
    }
  }
}

}  // namespace fansim::kernels

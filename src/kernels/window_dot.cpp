// SPDX-License-Identifier: Apache-2.0
#include "kernels/window_dot.h"

#include <algorithm>
#include <cstring>

#include "kernels/vector.h"
#include "kernels/window_dot_bytes.h"
#include "kernels/window_dot_wide.h"

namespace fansim::kernels {

namespace {

void slice_plain(const WindowDot& dot, const DotSlice& slice) {
  for (int w = 0; w < dot.windows; ++w) {
    std::uint32_t sums[kChannels];
    std::int32_t* to = slice.sums + w * dot.sum_step;
    for (int c = 0; c < kChannels; ++c)
      sums[c] = static_cast<std::uint32_t>(slice.start[c]) + (dot.add ? static_cast<std::uint32_t>(to[c]) : 0);
    for (const DotRound* round = dot.rounds; round != dot.rounds + dot.round_count; ++round) {
      const std::uint8_t* window = round->x + w * dot.window_step;
      const std::int8_t* weights = round->weights + slice.weights;
      for (int q = 0; q < dot.quads; ++q, weights += kChannels * kQuad) {
        const std::uint8_t* x = window + dot.offsets[q];
        for (int c = 0; c < kChannels; ++c)
          for (int i = 0; i < kQuad; ++i) sums[c] += static_cast<std::uint32_t>(x[i] * weights[c * kQuad + i]);
      }
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

#ifdef FANSIM_X86_64

// The mask keeps the gather from reading channels that do not exist.
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

constexpr auto window_dot_sse2 = widened_slices<Sse2, Sse2Bytes, Sse2Widened>;
constexpr auto window_dot_vnni = all_slices<WholeRegisters<VnniProducts>>;

// If all bytes are below 128, products can be summed in 16 bits.
void window_dot_avx2(const WindowDot& dot) {
  dot.low ? all_slices<HalfRegisters<LowProducts>>(dot) : widened_slices<Avx2, Avx2Bytes, Avx2Widened>(dot);
}
void window_dot_avx512(const WindowDot& dot) {
  dot.low ? all_slices<WholeRegisters<LowProducts>>(dot) : all_slices<Avx512>(dot);
}

bool has_sse2() { return true; }
bool has_avx2() { return __builtin_cpu_supports("avx2"); }
bool has_avx512() {
  return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512bw");
}
bool has_vnni() { return has_avx512() && __builtin_cpu_supports("avx512vnni"); }

#else

constexpr auto window_dot_sse2 = window_dot_plain, window_dot_avx2 = window_dot_plain,
               window_dot_avx512 = window_dot_plain, window_dot_vnni = window_dot_plain;
constexpr auto pack_quads_avx2 = pack_quads_plain;
bool has_sse2() { return false; }
bool has_avx2() { return false; }
bool has_avx512() { return false; }
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
      {"avx512", has_avx512(), window_dot_avx512, pack_quads_avx2},
      {"avx2", has_avx2(), window_dot_avx2, pack_quads_avx2},
      {"sse2", has_sse2(), window_dot_sse2, pack_quads_plain},
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
      for (const DotRound* round = dot.rounds; round != dot.rounds + dot.round_count; ++round) {
        const std::uint8_t* window = round->x + w * dot.window_step;
        const std::int8_t* from = round->weights + slice.weights;
        for (int q = 0; q < dot.quads; ++q, from += kChannels * kQuad) {
          std::int16_t x[2], weights[2 * kChannels];
          std::memcpy(x, window + dot.offsets[q], sizeof(x));
          std::memcpy(weights, from, sizeof(weights));
          for (int c = 0; c < kChannels; ++c)
            sums[c] += static_cast<std::uint32_t>(x[0] * weights[2 * c]) +
                       static_cast<std::uint32_t>(x[1] * weights[2 * c + 1]);
        }
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

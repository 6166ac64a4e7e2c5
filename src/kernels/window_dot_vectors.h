// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/vector.h"

#ifdef FANSIM_X86_64

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

// Repeats a quad as often as a register has room. It is written in assembly because GCC 12 makes a load and a shuffle
// of the intrinsics.
FANSIM_AVX2 inline __m256i quad_everywhere(const std::uint8_t* x) {
  __m256i quads;
  asm("vpbroadcastd %1, %0" : "=x"(quads) : "m"(*reinterpret_cast<const std::uint8_t(*)[kQuad]>(x)));
  return quads;
}

// Computes as many windows at once as registers have room for their sums. The windows are cut into pieces of about the
// same length. Windows share each load of weights, and slices share each load of a window. Versions differ in the
// instructions that multiply, and in how many slices they take at once.
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

// Takes groups of `Slices` slices while that many are left, and returns the first slice that it did not take.
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

}  // namespace fansim::kernels

#endif

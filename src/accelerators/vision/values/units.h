// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "accelerators/vision/config/job.h"
#include "accelerators/vision/values/plane.h"
#include "kernels/vector.h"

// Marks a function over rows that is compiled for several instruction sets, together with everything that it calls.
#ifdef __clang__
#define FANSIM_ROWS FANSIM_CLONES  // clang combines it with no other attribute
#else
#define FANSIM_ROWS FANSIM_CLONES __attribute__((flatten))
#endif

namespace fansim::vision {

// Holds as many numbers as sums fit into an AVX2 register. On other machines GCC splits wider vectors into single
// numbers.
template <class Sum, class T>
struct LanesOf {
  static constexpr int kCount = 32 / sizeof(Sum);
  using Type __attribute__((vector_size(kCount * sizeof(T)))) = T;
};
template <class Sum, class T>
using Lanes = typename LanesOf<Sum, T>::Type;

// These functions compute what each unit makes of a job: all rows that `out` holds. `in` must hold the rows that their
// windows see, as far as they lie in the image. There are versions for signed samples of 16 and of 32 bits.
using Plane16 = Plane<std::int16_t>;
using Plane32 = Plane<std::int32_t>;

void filter(const Job& job, const Plane16& in, int bank, Plane16& out);
void filter(const Job& job, const Plane32& in, int bank, Plane32& out);

void order(const Job& job, const Plane16& in, Plane16& out);
void order(const Job& job, const Plane32& in, Plane32& out);

// These take one image, or two.
void simd(const Job& job, const Plane16& first, const Plane16& second, Plane16& out);
void simd(const Job& job, const Plane32& first, const Plane32& second, Plane32& out);

}  // namespace fansim::vision

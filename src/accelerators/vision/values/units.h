// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "accelerators/vision/config/job.h"
#include "accelerators/vision/values/plane.h"
#include "kernels/vector.h"

// A function over rows: for several instruction sets, with all that it calls.
#ifdef __clang__
#define FANSIM_ROWS FANSIM_CLONES  // which it combines with no other attribute
#else
#define FANSIM_ROWS FANSIM_CLONES __attribute__((flatten))
#endif

namespace fansim::vision {

// As many numbers as there are sums in a register of AVX2; wider ones GCC takes apart number by number elsewhere.
template <class Sum, class T>
struct LanesOf {
  static constexpr int kCount = 32 / sizeof(Sum);
  using Type __attribute__((vector_size(kCount * sizeof(T)))) = T;
};
template <class Sum, class T>
using Lanes = typename LanesOf<Sum, T>::Type;

// What each unit makes of a job's rows, all rows that `out` holds; `in` holds those that their windows see, or that are
// left of them within the image. Each for samples of 16 bits with sign, and of 32.
using Plane16 = Plane<std::int16_t>;
using Plane32 = Plane<std::int32_t>;

void filter(const Job& job, const Plane16& in, int bank, Plane16& out);
void filter(const Job& job, const Plane32& in, int bank, Plane32& out);

void order(const Job& job, const Plane16& in, Plane16& out);
void order(const Job& job, const Plane32& in, Plane32& out);

// Of one image, or of two.
void simd(const Job& job, const Plane16& first, const Plane16& second, Plane16& out);
void simd(const Job& job, const Plane32& first, const Plane32& second, Plane32& out);

}  // namespace fansim::vision

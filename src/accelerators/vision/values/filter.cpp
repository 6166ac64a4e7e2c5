// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdlib>
#include <cstring>

#include "accelerators/vision/values/units.h"

namespace fansim::vision {
namespace {

// As many numbers as there are sums in a register of AVX2; wider ones GCC takes apart number by number elsewhere.
template <class Sum, class T>
struct LanesOf {
  static constexpr int kCount = 32 / sizeof(Sum);
  using Type __attribute__((vector_size(kCount * sizeof(T)))) = T;
};
template <class Sum, class T>
using Lanes = typename LanesOf<Sum, T>::Type;

// The coefficients that are not zero, and the sample under each of a row's first window.
template <class T>
struct Taps {
  int count = 0;
  std::array<std::int32_t, FilterConfig::kMaxWeights> weights;
  std::array<const T*, FilterConfig::kMaxWeights> samples;
};

// A row of windows' sums, scaled and brought to the result's type; every number on the way fits a Sum.
template <class Sum, class T>
void filter_row(const Job& job, const Taps<T>& taps, int samples, T* to) {
  const auto low = static_cast<Sum>(job.filter_signed ? INT16_MIN : 0);
  const auto high = static_cast<Sum>(job.filter_signed ? INT16_MAX : UINT8_MAX);
  const auto multiplier = static_cast<Sum>(job.multiplier);
  const auto round = static_cast<Sum>((Sum{1} << job.shift) - 1);  // of negative sums: towards zero
  using Sums = Lanes<Sum, Sum>;
  for (int x = 0; x < samples; x += LanesOf<Sum, T>::kCount) {
    Sums sum{};
    for (int i = 0; i < taps.count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      Lanes<Sum, T> value;
      std::memcpy(&value, taps.samples[at] + x, sizeof value);
      sum += __builtin_convertvector(value, Sums) * static_cast<Sum>(taps.weights[at]);
    }
    sum *= multiplier;
    sum = (sum + (round & (sum < 0))) >> job.shift;
    sum = sum < low ? low + Sums{} : sum;
    sum = sum > high ? high + Sums{} : sum;
    const auto result = __builtin_convertvector(sum, Lanes<Sum, T>);
    std::memcpy(to + x, &result, sizeof result);
  }
}

template <class Sum, class T>
void filter_rows(const Job& job, const Plane<T>& in, int bank, Plane<T>& out) {
  const int kernel = job.filter.kernel;
  const std::int32_t* weights = job.weights.data() + bank * FilterConfig::kMaxWeights;
  BorderedRows<T> bordered(in, job.filter, job.channels);
  for (int y = out.from; y < out.to; ++y) {
    Taps<T> taps;
    for (int ky = 0; ky < kernel; ++ky) {
      const T* row = bordered.row(y + ky - kernel / 2);
      for (int kx = 0; kx < kernel; ++kx) {
        const std::int32_t weight = weights[ky * kernel + kx];
        if (weight == 0) continue;
        const auto at = static_cast<std::size_t>(taps.count++);
        taps.weights[at] = weight, taps.samples[at] = row + kx * job.channels;
      }
    }
    filter_row<Sum>(job, taps, in.samples, out.row(y));
  }
}

// Samples have 8 bits.
std::int64_t largest_product(const Job& job, int bank) {
  const std::int32_t* weights = job.weights.data() + bank * FilterConfig::kMaxWeights;
  std::int64_t magnitudes = 0;
  for (int i = 0; i < job.filter.kernel * job.filter.kernel; ++i) magnitudes += std::abs(weights[i]);
  return magnitudes * UINT8_MAX * std::abs(job.multiplier);
}

FANSIM_ROWS void filter_short(const Job& job, const Plane16& in, int bank, Plane16& out) {
  filter_rows<std::int16_t>(job, in, bank, out);
}
FANSIM_ROWS void filter_int(const Job& job, const Plane16& in, int bank, Plane16& out) {
  filter_rows<std::int32_t>(job, in, bank, out);
}
FANSIM_ROWS void filter_int(const Job& job, const Plane32& in, int bank, Plane32& out) {
  filter_rows<std::int32_t>(job, in, bank, out);
}

}  // namespace

void filter(const Job& job, const Plane16& in, int bank, Plane16& out) {
  if (largest_product(job, bank) <= INT16_MAX && job.shift < 15) return filter_short(job, in, bank, out);
  if (largest_product(job, bank) <= INT32_MAX && job.shift < 31) return filter_int(job, in, bank, out);
  filter_rows<std::int64_t>(job, in, bank, out);
}

void filter(const Job& job, const Plane32& in, int bank, Plane32& out) {
  if (largest_product(job, bank) <= INT32_MAX && job.shift < 31) return filter_int(job, in, bank, out);
  filter_rows<std::int64_t>(job, in, bank, out);
}

}  // namespace fansim::vision

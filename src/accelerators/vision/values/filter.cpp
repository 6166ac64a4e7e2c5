// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#include "accelerators/vision/values/units.h"

namespace fansim::vision {
namespace {

// Holds the coefficients that are not zero, and for each the sample that it multiplies in a row's first window.
template <class T>
struct Taps {
  int count = 0;
  std::array<std::int32_t, FilterConfig::kMaxWeights> weights;
  std::array<const T*, FilterConfig::kMaxWeights> samples;
};

// Computes the sums of a row of windows, scales them and clamps them to the result's type. A Sum must hold the sums, a
// Product the scaled sums.
template <class Sum, class Product, class T>
void filter_row(const Job& job, const Taps<T>& taps, int samples, T* to) {
  const Product low = job.filter_signed ? INT16_MIN : 0, high = job.filter_signed ? INT16_MAX : UINT8_MAX;
  const auto multiplier = static_cast<Product>(job.multiplier);
  const auto round = static_cast<Product>((Product{1} << job.shift) - 1);  // added to negative products, so that they
                                                                           // round towards zero
  constexpr int kCount = LanesOf<Sum, T>::kCount;
  using Sums = Lanes<Sum, Sum>;
  for (int x = 0; x < samples; x += kCount) {
    Sums sum{};
    for (int i = 0; i < taps.count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      Lanes<Sum, T> value;
      std::memcpy(&value, taps.samples[at] + x, sizeof value);
      sum += __builtin_convertvector(value, Sums) * static_cast<Sum>(taps.weights[at]);
    }
    std::array<Sum, kCount> sums;
    std::memcpy(sums.data(), &sum, sizeof sum);
    for (std::size_t i = 0; i < kCount; ++i) {
      const auto product = static_cast<Product>(sums[i] * multiplier);
      const auto scaled = static_cast<Product>(static_cast<Product>(product + (product < 0 ? round : 0)) >> job.shift);
      to[static_cast<std::size_t>(x) + i] = static_cast<T>(std::clamp(scaled, low, high));
    }
  }
}

template <class Sum, class Product, class T>
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
        taps.weights[at] = weight;
        taps.samples[at] = row + kx * job.channels;
      }
    }
    filter_row<Sum, Product>(job, taps, in.samples, out.row(y));
  }
}

// Returns a bound on the sums' magnitudes; samples have 8 bits.
std::int64_t largest_sum(const Job& job, int bank) {
  const std::int32_t* weights = job.weights.data() + bank * FilterConfig::kMaxWeights;
  std::int64_t magnitudes = 0;
  for (int i = 0; i < job.filter.kernel * job.filter.kernel; ++i) magnitudes += std::abs(weights[i]);
  return magnitudes * UINT8_MAX;
}

FANSIM_ROWS void filter_short(const Job& job, const Plane16& in, int bank, Plane16& out) {
  filter_rows<std::int16_t, std::int16_t>(job, in, bank, out);
}
FANSIM_ROWS void filter_divided(const Job& job, const Plane16& in, int bank, Plane16& out) {
  filter_rows<std::int16_t, std::int32_t>(job, in, bank, out);
}
FANSIM_ROWS void filter_int(const Job& job, const Plane16& in, int bank, Plane16& out) {
  filter_rows<std::int32_t, std::int32_t>(job, in, bank, out);
}
FANSIM_ROWS void filter_int(const Job& job, const Plane32& in, int bank, Plane32& out) {
  filter_rows<std::int32_t, std::int32_t>(job, in, bank, out);
}

}  // namespace

void filter(const Job& job, const Plane16& in, int bank, Plane16& out) {
  const std::int64_t sum = largest_sum(job, bank), product = sum * std::abs(job.multiplier);
  if (product <= INT16_MAX && job.shift < 15) {
    filter_short(job, in, bank, out);
    return;
  }
  if (product > INT32_MAX || job.shift > 30) {
    filter_rows<std::int64_t, std::int64_t>(job, in, bank, out);
    return;
  }
  if (sum <= INT16_MAX) {
    filter_divided(job, in, bank, out);
    return;
  }
  filter_int(job, in, bank, out);
}

void filter(const Job& job, const Plane32& in, int bank, Plane32& out) {
  const std::int64_t product = largest_sum(job, bank) * std::abs(job.multiplier);
  if (product > INT32_MAX || job.shift > 30) {
    filter_rows<std::int64_t, std::int64_t>(job, in, bank, out);
    return;
  }
  filter_int(job, in, bank, out);
}

}  // namespace fansim::vision

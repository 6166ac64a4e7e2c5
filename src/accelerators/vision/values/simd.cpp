// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <type_traits>
#include <vector>

#include "accelerators/vision/values/units.h"

namespace fansim::vision {
namespace {

// Selects a type that holds every product of two samples, and 256 times a sample.
template <class T>
using WideOf = std::conditional_t<sizeof(T) == sizeof(std::int16_t), std::int32_t, std::int64_t>;

// Divides by 2^shift, towards zero.
template <class Wide>
Wide shifted(Wide value, int shift) {
  const Wide round = (Wide{1} << shift) - 1;
  return (value + (value < 0 ? round : 0)) >> shift;
}

// Applies `f` to pairs of samples and clamps the results to the result's type.
template <class T, class F>
void each(const Job& job, const Plane<T>& a, const Plane<T>& b, Plane<T>& out, F&& f) {
  using Wide = WideOf<T>;
  const Wide low = job.simd_low, high = job.simd_high, mask = high - low;
  const std::vector<T> none(job.two_images ? 0 : static_cast<std::size_t>(out.samples));
  for (int y = out.from; y < out.to; ++y) {
    const T *first = a.row(y), *second = job.two_images ? b.row(y) : none.data();
    T* to = out.row(y);
    if (job.wraps)
      for (int x = 0; x < out.samples; ++x)
        to[x] = static_cast<T>(low + ((f(Wide{first[x]}, Wide{second[x]}) - low) & mask));
    else
      for (int x = 0; x < out.samples; ++x)
        to[x] = static_cast<T>(std::clamp(f(Wide{first[x]}, Wide{second[x]}), low, high));
  }
}

template <class T>
void simd_rows(const Job& job, const Plane<T>& a, const Plane<T>& b, Plane<T>& out) {
  using Wide = WideOf<T>;
  switch (job.simd) {
    case SimdOperation::pass:
      each(job, a, b, out, [](Wide x, Wide) { return x; });
      break;
    case SimdOperation::absdiff:
      each(job, a, b, out, [](Wide x, Wide y) { return std::max(x, y) - std::min(x, y); });
      break;
    case SimdOperation::add:
      each(job, a, b, out, [](Wide x, Wide y) { return x + y; });
      break;
    case SimdOperation::subtract:
      each(job, a, b, out, [](Wide x, Wide y) { return x - y; });
      break;
    case SimdOperation::minimum:
      each(job, a, b, out, [](Wide x, Wide y) { return std::min(x, y); });
      break;
    case SimdOperation::maximum:
      each(job, a, b, out, [](Wide x, Wide y) { return std::max(x, y); });
      break;
    case SimdOperation::bitwise_and:
      each(job, a, b, out, [](Wide x, Wide y) { return x & y; });
      break;
    case SimdOperation::bitwise_or:
      each(job, a, b, out, [](Wide x, Wide y) { return x | y; });
      break;
    case SimdOperation::bitwise_xor:
      each(job, a, b, out, [](Wide x, Wide y) { return x ^ y; });
      break;
    case SimdOperation::bitwise_not:
      each(job, a, b, out, [](Wide x, Wide) { return Wide{UINT8_MAX} - x; });
      break;
    case SimdOperation::threshold:
      each(job, a, b, out, [&job](Wide x, Wide) -> Wide {
        const bool holds = job.inside ? x >= job.lower && x <= job.upper : x > job.upper;
        return holds ? job.true_value : job.false_value;
      });
      break;
    case SimdOperation::multiply:
      each(job, a, b, out, [&job](Wide x, Wide y) { return shifted(x * y, job.simd_shift); });
      break;
    case SimdOperation::accumulate_square:
      each(job, a, b, out, [&job](Wide x, Wide y) { return y + shifted(x * x, job.simd_shift); });
      break;
    case SimdOperation::accumulate_weighted:
      each(job, a, b, out, [&job](Wide x, Wide y) { return (256 * y + job.alpha * (x - y)) >> 8; });
      break;
  }
}

}  // namespace

FANSIM_ROWS void simd(const Job& job, const Plane16& first, const Plane16& second, Plane16& out) {
  simd_rows(job, first, second, out);
}
FANSIM_ROWS void simd(const Job& job, const Plane32& first, const Plane32& second, Plane32& out) {
  simd_rows(job, first, second, out);
}

}  // namespace fansim::vision

// SPDX-License-Identifier: Apache-2.0
#include "network/reference/reference_arithmetic.h"

#include <array>
#include <cmath>

#include "base/clones.h"

namespace fansim::network {
namespace {

constexpr int kSteps = 256;  // steps of x per unit
constexpr int kFlat = 6 * kSteps;
constexpr int kFirst = -8 * kSteps;  // 16 bits in units of 2^-12 begin at -8

int sigmoid_at(int step) {
  if (step < -kFlat) return 0;
  if (step > kFlat) return 32767;
  const long double x = static_cast<long double>(step) / kSteps;
  return static_cast<int>(std::floor(16384 * (1 + std::tanh(x / 2)) + 0.5L));
}

}  // namespace

FANSIM_CLONES std::int64_t quantise(const std::int64_t* sums, std::size_t count, std::int64_t bias,
                                    const arith::Requantise& requantise, const arith::QuantiserFormat& quantiser,
                                    std::int32_t* values) {
  const arith::Requantise q = requantise;
  const arith::QuantiserFormat format = quantiser;
  std::int64_t overflows = 0;
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = quantised(sums[i] + bias, q, format);
    overflows += leaves_accumulator(sums[i] + bias, format) ? 1 : 0;
  }
  return overflows;
}

int sigmoid_of(int pre) {
  static const auto values = [] {
    std::array<int, 16 * kSteps> of_step{};
    for (std::size_t i = 0; i < of_step.size(); ++i) of_step[i] = sigmoid_at(static_cast<int>(i) + kFirst);
    return of_step;
  }();
  return values[static_cast<std::size_t>(floor_divide(pre, 4096 / kSteps) - kFirst)];
}

int tanh_of(int pre) { return 2 * sigmoid_of(static_cast<int>(nearest_of(2 * pre, 16))) - 32768; }

}  // namespace fansim::network

// SPDX-License-Identifier: Apache-2.0
#include "network/reference/reference_arithmetic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

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

void observe_output(std::int64_t value, const arith::Requantise& q, bool relu, arith::Saturation& seen) {
  const std::int64_t lowest = q.is_unsigned ? 0 : -power_of_two(q.bits - 1),
                     highest = lowest + power_of_two(q.bits) - 1;
  if (value > highest) seen.output.add(value - highest);
  if (value < lowest && !relu) seen.output.add(lowest - value);
}

void observe(std::int64_t sum, const arith::Requantise& q, const arith::QuantiserFormat& format, bool relu,
             arith::Saturation& seen) {
  const auto missed = [](std::int64_t v, int bits) { return std::abs(v - nearest_of(v, bits)); };
  const std::int64_t value = q.zero_point + scaled_sum(sum, q.scale, q.shift, format);
  ++seen.values;
  observe_output(value, q, relu, seen);
  const int bits = format.accumulator_bits;
  const std::int64_t held = sum - power_of_two(bits) * floor_shift(sum + power_of_two(bits - 1), bits);
  if (held != sum) seen.accumulator.add(missed(sum, bits));
  if (missed(held, format.operand_bits) > 0) seen.operand.add(missed(held, format.operand_bits));
  if (held == sum && missed(held, format.operand_bits) == 0) return;
  // A sum beyond 48 bits is beyond every output.
  const std::int64_t half = format.rounding == arith::Rounding::half_up && q.shift > 0 ? power_of_two(q.shift - 1) : 0;
  const std::int64_t exact = q.zero_point + floor_shift(nearest_of(sum, 48) * q.scale + half, q.shift);
  const std::int64_t lowest = q.is_unsigned ? 0 : -power_of_two(q.bits - 1),
                     highest = lowest + power_of_two(q.bits) - 1;
  const std::int64_t floor = relu ? q.zero_point : lowest;
  seen.changed += std::clamp(value, floor, highest) != std::clamp(exact, floor, highest);
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

// SPDX-License-Identifier: Apache-2.0
// This file is included once per instruction set, because the compiler lowers a vector type for the instruction set of
// the function that names it before it inlines anything. FANSIM_LANES names the namespace, FANSIM_LANE_BYTES the width;
// without them it is the plain variant.
#include <cstring>
#include <limits>

#include "kernels/float_mac.h"

#ifndef FANSIM_LANES
#define FANSIM_LANES float_plain
#define FANSIM_LANE_BYTES 16
#endif

namespace fansim::kernels::FANSIM_LANES {

using Bits __attribute__((vector_size(FANSIM_LANE_BYTES))) = std::int64_t;
using Doubles __attribute__((vector_size(FANSIM_LANE_BYTES))) = double;
constexpr std::size_t kLanes = sizeof(Bits) / sizeof(double);

struct Count {
  Bits saturations{}, underflows{};
};

static inline Doubles cut(Doubles exact, const FloatMac::Cut& c, Count& count) {
  constexpr std::int64_t kMagnitude = std::numeric_limits<std::int64_t>::max();
  const Bits bits = reinterpret_cast<Bits>(exact);
  const Bits magnitude = ((bits & kMagnitude) + c.add + (bits >> c.last & c.last_mask)) & c.keep;
  const Bits under = magnitude < c.least;
  const Bits over = magnitude > c.most;
  count.underflows -= under & (magnitude != 0);
  count.saturations -= over;
  const Bits clamped = over ? c.most - Bits{} : magnitude;
  return reinterpret_cast<Doubles>((clamped | (bits & ~kMagnitude)) & ~under);
}

static inline Doubles add(Doubles a, Doubles b, const FloatMac::Cut& c, Count& count) {
  constexpr std::int64_t kMagnitude = std::numeric_limits<std::int64_t>::max();
  constexpr int kMantissa = 52;
  const Bits bits_a = reinterpret_cast<Bits>(a), bits_b = reinterpret_cast<Bits>(b);
  const Bits swap = (bits_a & kMagnitude) < (bits_b & kMagnitude);
  const Bits large = swap ? bits_b : bits_a, small = swap ? bits_a : bits_b;
  const Bits distance = ((large & kMagnitude) >> kMantissa) - ((small & kMagnitude) >> kMantissa);
  const Bits lost = distance + c.align;
  const Bits some = lost & (lost > 0);
  const Bits kept = (Bits{} - 1) << (some & 63) & (some <= kMantissa);
  return cut(reinterpret_cast<Doubles>(large) + reinterpret_cast<Doubles>(small & kept), c, count);
}

static void accumulate(double* sums, const double* a, double b, std::size_t count, const FloatMac::Cut& operand,
                       const FloatMac::Cut& sum, arith::FloatEvents& events) {
  Count counted;
  const FloatMac::Cut product_cut = operand, sum_cut = sum;
  Doubles terms{}, partial{};
  const std::size_t whole = count - count % kLanes, rest = (count - whole) * sizeof(double);
  for (std::size_t i = 0; i < whole; i += kLanes) {
    std::memcpy(&terms, a + i, sizeof terms);
    std::memcpy(&partial, sums + i, sizeof partial);
    partial = add(partial, cut(terms * b, product_cut, counted), sum_cut, counted);
    std::memcpy(sums + i, &partial, sizeof partial);
  }
  if (rest > 0) {
    // Unused lanes are zero: zero times anything counts no event.
    terms = partial = Doubles{};
    std::memcpy(&terms, a + whole, rest);
    std::memcpy(&partial, sums + whole, rest);
    partial = add(partial, cut(terms * b, product_cut, counted), sum_cut, counted);
    std::memcpy(sums + whole, &partial, rest);
  }
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    events.saturations += counted.saturations[lane];
    events.underflows += counted.underflows[lane];
  }
}

}  // namespace fansim::kernels::FANSIM_LANES

#undef FANSIM_LANES
#undef FANSIM_LANE_BYTES

// SPDX-License-Identifier: Apache-2.0
#include "kernels/float_mac.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "kernels/vector.h"

#ifdef FANSIM_X86_64
#pragma GCC push_options
#pragma GCC target("arch=x86-64-v4")
#define FANSIM_LANES float_avx512
#define FANSIM_LANE_BYTES 64
#include "kernels/float_mac_lanes.h"
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("arch=x86-64-v3")
#define FANSIM_LANES float_avx2
#define FANSIM_LANE_BYTES 32
#include "kernels/float_mac_lanes.h"
#pragma GCC pop_options
#endif
#include "kernels/float_mac_lanes.h"

namespace fansim::kernels {
namespace {

constexpr int kDoubleMantissa = 52;

std::int64_t bits(double value) {
  std::int64_t result = 0;
  std::memcpy(&result, &value, sizeof result);
  return result;
}

FloatMac::Cut cut_of(const arith::FloatFormat& f, arith::FloatRounding rounding) {
  FloatMac::Cut cut;
  const int dropped = kDoubleMantissa - f.mantissa_bits;
  cut.last = dropped;
  cut.keep = -(std::int64_t{1} << dropped);
  cut.least = bits(std::ldexp(1, 1 - f.bias()));
  cut.most = bits(std::ldexp(2 - std::ldexp(1, -f.mantissa_bits), f.max_exponent() - f.bias()));
  if (rounding == arith::FloatRounding::nearest_even) {
    // The double that holds the sum before this rounding has more than twice the format's bits, so rounding twice gives
    // the same as rounding once.
    cut.last_mask = 1;
    cut.add = (std::int64_t{1} << (dropped - 1)) - 1;
    cut.align = -2048;
  } else {
    cut.align = kDoubleMantissa - (2 * f.significand_bits() - 1);
  }
  return cut;
}

struct Variant {
  std::string name;
  FloatMac::Accumulate accumulate;
};

// Returns the variants that this processor can run, the best first.
const std::vector<Variant>& found() {
  static const std::vector<Variant> variants = [] {
    std::vector<Variant> list;
#ifdef FANSIM_X86_64
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
      list.push_back({"avx512", float_avx512::accumulate});
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma"))
      list.push_back({"avx2", float_avx2::accumulate});
#endif
    list.push_back({"plain", float_plain::accumulate});
    return list;
  }();
  return variants;
}

FloatMac::Accumulate named(const std::string& name) {
  for (const Variant& variant : found())
    if (variant.name == name) return variant.accumulate;
  throw std::invalid_argument("no variant " + name);
}

}  // namespace

FloatMac::FloatMac(const arith::FloatFormat& operand, const arith::FloatFormat& sum, arith::FloatRounding rounding)
    : FloatMac(operand, sum, rounding, found().front().name) {}

FloatMac::FloatMac(const arith::FloatFormat& operand, const arith::FloatFormat& sum, arith::FloatRounding rounding,
                   const std::string& variant)
    : operand_(cut_of(operand, rounding)), sum_(cut_of(sum, rounding)), accumulate_(named(variant)) {
  if (!takes(operand) || !takes(sum)) throw std::invalid_argument("a double does not hold this format's products");
  if (sum.exponent_bits < operand.exponent_bits || sum.mantissa_bits < operand.mantissa_bits)
    throw std::invalid_argument("a sum's format without every product");
}

std::vector<std::string> FloatMac::variants() {
  std::vector<std::string> names;
  for (const Variant& variant : found()) names.push_back(variant.name);
  return names;
}

void FloatMac::accumulate(double* sums, const double* a, double b, std::size_t count,
                          arith::FloatEvents& events) const {
  accumulate_(sums, a, b, count, operand_, sum_, events);
}

void FloatMac::dot_products(double* sums, std::size_t outputs, const double* x, const double* weights,
                            std::size_t terms, arith::FloatEvents& events) const {
  for (std::size_t t = 0; t < terms; ++t) accumulate(sums, weights + t * outputs, x[t], outputs, events);
}

}  // namespace fansim::kernels

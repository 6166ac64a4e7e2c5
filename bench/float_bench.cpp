// SPDX-License-Identifier: Apache-2.0
// Measures processor time per multiply-accumulate, in nanoseconds, for the formats of docs/float.md: vectorised as in
// kernels::FloatMac, in every variant that this processor supports, and one by one.
//   float_bench
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "arith/float/arithmetic.h"
#include "base/random.h"
#include "cpu_seconds.h"
#include "kernels/float_mac.h"

using namespace fansim;

namespace {

constexpr std::size_t kOutputs = 196, kTerms = 2000;
constexpr int kRepeats = 5;

template <class Run>
double nanoseconds(const Run& run) {
  double best = std::numeric_limits<double>::max();
  for (int i = 0; i < kRepeats; ++i) {
    const double begin = bench::cpu_seconds();
    run();
    best = std::min(best, bench::cpu_seconds() - begin);
  }
  return best * 1e9 / static_cast<double>(kOutputs * kTerms);
}

void measure(const char* name, const arith::FloatFormat& operand, const arith::FloatFormat& sum) {
  base::Random random(1);
  const arith::FloatArithmetic unit(operand), adder(sum);
  arith::FloatEvents events;
  std::vector<double> x, weights, sums(kOutputs);
  for (std::size_t i = 0; i < kTerms * kOutputs; ++i) {
    weights.push_back(unit.to_double(unit.from_double(random.uniform(-1000, 1000) / 512.0, events)));
    if (i % kOutputs == 0) x.push_back(weights.back());
  }
  for (const std::string& variant : kernels::FloatMac::variants()) {
    const kernels::FloatMac mac(operand, sum, arith::FloatRounding::truncate, variant);
    fmt::print("{:<28} {:<10} {:6.2f} ns\n", name, variant,
               nanoseconds([&] { mac.dot_products(sums.data(), kOutputs, x.data(), weights.data(), kTerms, events); }));
  }
  const std::uint64_t a = unit.from_double(1.25, events), b = unit.from_double(0.75, events);
  std::uint64_t word = 0;
  fmt::print("{:<28} {:<10} {:6.2f} ns\n", name, "one by one", nanoseconds([&] {
               for (std::size_t i = 0; i < kTerms * kOutputs; ++i)
                 word = adder.add(word, adder.convert(unit.multiply(a ^ (i & 1), b, events), operand, events), events);
             }));
}

}  // namespace

int main() {
  measure("single", arith::kSingle, arith::kSingle);
  measure("custom-24", arith::kCustom24, arith::kCustom24);
  measure("brain-16, sums of custom-24", arith::kBrain16, arith::kCustom24);
}

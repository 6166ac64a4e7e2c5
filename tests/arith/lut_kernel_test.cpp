// SPDX-License-Identifier: Apache-2.0
#include "arith/lut_kernel.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "base/random.h"
#include "base/units.h"

namespace fansim::lut_kernel_test {

using arith::LutKernel;
using arith::LutKernelFormat;

namespace {

std::vector<int> draw(int n, int bits, base::Random& random) {
  const int low = -(1 << (bits - 1));
  std::vector<int> values;
  const int extreme = random.uniform(0, 3);
  for (int i = 0; i < n; ++i)
    values.push_back(extreme == 0 ? low : extreme == 1 ? -low - 1 : random.uniform(low, -low - 1));
  return values;
}

// Returns the largest error of the output, in units of its last place, over random and extreme operands.
double worst_error(const LutKernel& kernel, int tries, base::Random& random) {
  const LutKernelFormat& f = kernel.format();
  double worst = 0;
  for (int i = 0; i < tries; ++i) {
    const std::vector<int> x = draw(f.inputs, f.input_bits, random), c = draw(f.inputs, f.coefficient_bits, random);
    const double exact = std::ldexp(static_cast<double>(kernel.exact(x, c)), -kernel.output_bit());
    worst = std::max(worst, std::abs(static_cast<double>(kernel.evaluate(x, c)) - exact));
  }
  return worst;
}

}  // namespace

TEST_CASE("one product of 8 x 8 bits is exact over all operands") {
  const LutKernel kernel({1, 8, 8, false});
  int wrong = 0;
  for (int x = -128; x < 128; ++x)
    for (int c = -128; c < 128; ++c) wrong += kernel.evaluate({x}, {c}) != x * c;
  CHECK(wrong == 0);
}

TEST_CASE("odd widths and cut slices and sums of many products are exact at full precision") {
  const std::uint64_t seed = GENERATE(range(1, 4));
  CAPTURE(seed);
  base::Random random(seed, "lut_kernel");
  for (const int inputs : {1, 2, 4, 9, 25, 49}) {
    for (const int input_bits : {2, 5, 8, 11, 12, 16}) {
      for (const int coefficient_bits : {2, 7, 8, 13, 16}) {
        const LutKernel kernel({inputs, input_bits, coefficient_bits, false});
        for (int i = 0; i < 20; ++i) {
          const std::vector<int> x = draw(inputs, input_bits, random), c = draw(inputs, coefficient_bits, random);
          CAPTURE(inputs, input_bits, coefficient_bits);
          REQUIRE(kernel.evaluate(x, c) == kernel.exact(x, c));
        }
      }
    }
  }
}

TEST_CASE("a faithfully rounded product of 6 x 6 bits errs less than one unit over all operands") {
  const LutKernel kernel({1, 6, 6, true});
  REQUIRE(kernel.output_bit() > 0);
  for (int x = -32; x < 32; ++x)
    for (int c = -32; c < 32; ++c)
      REQUIRE(std::abs(kernel.evaluate({x}, {c}) * (1 << kernel.output_bit()) - x * c) < 1 << kernel.output_bit());
}

TEST_CASE("faithful rounding errs less than one unit for every published size") {
  const std::uint64_t seed = 7;
  CAPTURE(seed);
  base::Random random(seed, "faithful");
  for (const int bits : {8, 12, 16}) {
    for (const int inputs : {9, 25, 49}) {
      const LutKernel kernel({inputs, bits, bits, true});
      CAPTURE(bits, inputs);
      CHECK(kernel.guard_bits() == static_cast<int>(std::ceil(std::log2(inputs * kernel.slices()))));
      CHECK(worst_error(kernel, 4000, random) < 1);
    }
  }
}

TEST_CASE("the bound holds for the worst operands and not with as many guard bits as floor(log2(N K))") {
  // Every product's cut bits are ones if every coefficient is -1 and every slice of an input is 1.
  for (const bool bounded : {true, false}) {
    LutKernelFormat format{9, 8, 8, true};
    if (!bounded) format.guard_bits = 4;
    const LutKernel kernel(format);
    double worst = 0;
    for (int x = -128; x < 128; ++x) {
      for (int c = -128; c < 128; ++c) {
        const std::vector<int> inputs(9, x), coefficients(9, c);
        const double exact = std::ldexp(static_cast<double>(kernel.exact(inputs, coefficients)), -kernel.output_bit());
        worst = std::max(worst, std::abs(static_cast<double>(kernel.evaluate(inputs, coefficients)) - exact));
      }
    }
    CAPTURE(bounded, worst);
    CHECK((worst < 1) == bounded);
  }
}

TEST_CASE("tables number N K ceil((Bc + 4) / 2) and fewer where products are cut") {
  struct Size {
    int bits, inputs, full, cut;
  };
  // The generator of the same group cuts with floor(log2(N K)) guard bits.
  const Size sizes[] = {{8, 9, 108, 54},      {8, 25, 300, 150},   {8, 49, 588, 294}, {12, 9, 216, 108},
                        {12, 25, 600, 375},   {12, 49, 1176, 735}, {16, 9, 360, 216}, {16, 25, 1000, 600},
                        {16, 49, 1960, 1176}, {12, 3, 72, 45}};
  for (const Size& size : sizes) {
    CAPTURE(size.bits, size.inputs);
    const LutKernelFormat full{size.inputs, size.bits, size.bits, false}, cut{size.inputs, size.bits, size.bits, true};
    LutKernelFormat generated = cut;
    generated.guard_bits = static_cast<int>(std::log2(size.inputs * LutKernel(cut).slices()));
    CHECK(LutKernel(full).table_luts() == size.full);
    CHECK(LutKernel(generated).table_luts() == size.cut);
    CHECK(LutKernel(cut).table_luts() <= size.full);
  }
}

TEST_CASE("tables of five address bits sum the same and err as little") {
  const std::uint64_t seed = 11;
  CAPTURE(seed);
  base::Random random(seed, "five");
  for (const int bits : {8, 12, 16}) {
    for (const int inputs : {1, 9, 49}) {
      LutKernelFormat format{inputs, bits, bits, false};
      format.slice_bits = 5;
      const LutKernel full(format);
      format.faithful = true;
      const LutKernel faithful(format);
      CAPTURE(bits, inputs);
      CHECK(faithful.guard_bits() == static_cast<int>(std::ceil(std::log2(inputs * ((bits + 4) / 5)))));
      CHECK(worst_error(full, 200, random) == 0);
      CHECK(worst_error(faithful, 2000, random) < 1);
      // There is a table for each of Bc + 5 bits and ceil(Bi / 5) slices.
      CHECK(full.table_luts() == inputs * ((bits + 4) / 5) * (bits + 5));
      CHECK(faithful.table_luts() < full.table_luts());
    }
  }
}

TEST_CASE("rounding what the tables keep of products gives the kernel's output for unsigned inputs too") {
  const std::uint64_t seed = 12;
  CAPTURE(seed);
  base::Random random(seed, "kept");
  for (const bool faithful : {false, true}) {
    for (const int inputs : {1, 2, 8, 24, 64}) {
      const LutKernel kernel({inputs, 8, 8, faithful});
      const int unit = 1 << kernel.output_bit();
      CAPTURE(faithful, inputs);
      CHECK(kernel.rounded(0) == 0);
      for (int i = 0; i < 300; ++i) {
        std::vector<int> x = draw(inputs, 8, random);
        const std::vector<int> c = draw(inputs, 8, random);
        std::int64_t kept = 0, kept_unsigned = 0;
        for (std::size_t k = 0; k < x.size(); ++k) {
          kept += kernel.kept(x[k], c[k]);
          kept_unsigned += kernel.kept(x[k] += 128, c[k]);
        }
        REQUIRE(std::abs(kernel.rounded(kept_unsigned) - kernel.exact(x, c)) < unit);
        for (int& value : x) value -= 128;
        REQUIRE(kernel.rounded(kept) == kernel.evaluate(x, c) * unit);
      }
    }
  }
}

TEST_CASE("the bound of the rounding error holds for every width of the array and not for the generator's guard bits") {
  const std::uint64_t seed = 21;
  CAPTURE(seed);
  base::Random random(seed, "widths");
  for (const int input_bits : {8, 12, 16})
    for (const int coefficient_bits : {8, 12, 16})
      for (int inputs = 1; inputs <= 192; ++inputs) {
        const LutKernel kernel({inputs, input_bits, coefficient_bits, true});
        CAPTURE(input_bits, coefficient_bits, inputs);
        REQUIRE(kernel.output_bits() == input_bits);
        REQUIRE(kernel.error_bounded());
        if (inputs % 16 > 2) continue;
        // Whatever the low bits of the products lose: all products alike, or each at random.
        const std::int64_t unit = std::int64_t{1} << kernel.output_bit();
        for (int i = 0; i < 100; ++i) {
          std::int64_t kept = 0, exact = 0;
          const bool alike = i % 2 == 0, is_unsigned = i % 4 < 2;
          int x = 0, c = 0;
          for (int k = 0; k < inputs; ++k) {
            if (k == 0 || !alike) {
              x = random.uniform(0, (1 << input_bits) - 1) - (is_unsigned ? 0 : 1 << (input_bits - 1));
              c = random.uniform(0, (1 << coefficient_bits) - 1) - (1 << (coefficient_bits - 1));
            }
            kept += kernel.kept(x, c);
            exact += std::int64_t{x} * c;
          }
          REQUIRE(std::abs(kernel.rounded(kept) - exact) < unit);
        }
      }
  // floor(log2(N K)) is a bit too few where N K is no power of two, unless the cut at an even bit gives one back, as it
  // does at 16 bits.
  for (const int bits : {8, 12, 16}) {
    const int guard = base::ceil_log2(9 * bits / 4 + 1) - 1;
    CAPTURE(bits, guard);
    CHECK(LutKernel({9, bits, bits, true, guard}).error_bounded() == (bits == 16));
  }
}

}  // namespace fansim::lut_kernel_test

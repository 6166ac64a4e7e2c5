// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "dsp48e2_stimuli.h"

// These tests compute 96 bits on slices of 48: on two slices side by side, the upper one an edge later, and on one
// slice that is used twice.

namespace fansim::dsp48e2_wide_test {

using namespace primitives;
using In = Dsp48e2Inputs;
using test::boundary_or_random;

namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t kAdd = 0, kSubtract = 3;
constexpr std::uint64_t kCplusAB = 0b000110011, kPplusAB = 0b000100011, kPplusM = 0b000100101,
                        kMaccExtend = 0b001001000, kM = 0b000000101, kCminus0 = 0b000110000;

Wide wide(std::uint64_t high, std::uint64_t low) { return Wide{high & ones(48)} << 48 | (low & ones(48)); }
Wide of_96(Wide value) { return value & ((Wide{1} << 96) - 1); }

struct Operands {
  std::uint64_t x_low, x_high, z_low, z_high;
  bool carry;
};

Operands draw(base::Random& random) {
  return {boundary_or_random(random, 48), boundary_or_random(random, 48), boundary_or_random(random, 48),
          boundary_or_random(random, 48), random.chance(50)};
}

In half(std::uint64_t x, std::uint64_t z, std::uint64_t alumode, std::uint64_t opmode = kCplusAB) {
  In in = test::enabled();
  in.a = x >> 18;
  in.b = x & ones(18);
  in.c = z;
  in.alumode = alumode;
  in.opmode = opmode;
  return in;
}

// Holds a pair of slices. The upper one sees the cascades as they were before the edge.
struct Pair {
  Dsp48e2 lower{test::combinational(1)}, upper{test::combinational(1)};
  Dsp48e2Outputs low, high;

  void step(const In& below, In above) {
    above.carryinsel = 2;
    above.carrycascin = low.carrycascout.value != 0;
    above.multsignin = low.multsignout.value != 0;
    high = upper.step(above);
    low = lower.step(below);
  }
};

}  // namespace

TEST_CASE("two slices add and subtract 96 bits with a pair of operands per edge") {
  base::Random random(96, "dsp48e2_wide");
  for (const std::uint64_t alumode : {kAdd, kSubtract}) {
    Pair pair;
    Operands before{};
    std::uint64_t low = 0;
    for (int row = 0; row < 4000; ++row) {
      const Operands now = draw(random);
      In below = half(now.x_low, now.z_low, alumode);
      below.carryin = now.carry;
      pair.step(below, half(before.x_high, before.z_high, alumode));
      if (row > 0) {
        const Wide x = wide(before.x_high, before.x_low) + (before.carry ? 1 : 0);
        const Wide z = wide(before.z_high, before.z_low);
        REQUIRE(wide(pair.high.p.value, low) == of_96(alumode == kAdd ? z + x : z - x));
      }
      before = now;
      low = pair.low.p.value;
    }
  }
}

TEST_CASE("one slice adds and subtracts 96 bits in two edges with its own carry fed back") {
  base::Random random(97, "dsp48e2_wide");
  Dsp48e2 slice(test::combinational(1));
  for (int row = 0; row < 4000; ++row) {
    const Operands now = draw(random);
    const std::uint64_t alumode = random.chance(50) ? kAdd : kSubtract;
    In in = half(now.x_low, now.z_low, alumode);
    in.carryin = now.carry;
    const std::uint64_t low = slice.step(in).p.value;
    in = half(now.x_high, now.z_high, alumode);
    in.carryinsel = 4;
    const std::uint64_t high = slice.step(in).p.value;
    const Wide x = wide(now.x_high, now.x_low) + (now.carry ? 1 : 0), z = wide(now.z_high, now.z_low);
    REQUIRE(wide(high, low) == of_96(alumode == kAdd ? z + x : z - x));
  }
}

TEST_CASE("two slices accumulate words of 96 bits") {
  base::Random random(98, "dsp48e2_wide");
  Pair pair;
  Wide sum = 0;
  Operands before{};
  std::uint64_t low = 0;
  for (int row = 0; row < 4000; ++row) {
    const Operands now = draw(random);
    pair.step(half(now.x_low, 0, kAdd, kPplusAB), half(before.x_high, 0, kAdd, kPplusAB));
    REQUIRE(wide(pair.high.p.value, low) == sum);
    sum = of_96(sum + wide(now.x_high, now.x_low));
    before = now;
    low = pair.low.p.value;
  }
}

TEST_CASE("two slices sum products to 96 bits while adding and subtracting and beginning anew at random") {
  base::Random random(99, "dsp48e2_wide");
  Pair pair;
  Wide sum = 0;
  std::uint64_t low = 0, mode_before = kAdd;
  bool reset_before = true;
  for (int row = 0; row < 20000; ++row) {
    const std::uint64_t a = boundary_or_random(random, 27), b = boundary_or_random(random, 18);
    const std::uint64_t alumode = random.chance(70) ? kAdd : kSubtract;
    In below = test::enabled(), above = test::enabled();
    below.a = a;
    below.b = b;
    below.alumode = alumode;
    below.opmode = kPplusM;
    below.rstp = random.chance(1);
    above.opmode = kMaccExtend;
    above.alumode = mode_before;
    above.rstp = reset_before;
    pair.step(below, above);
    REQUIRE(wide(pair.high.p.value, low) == sum);
    CHECK((pair.low.p.beyond | pair.high.p.beyond) == 0);
    const auto factor = [](std::uint64_t value, int bits) {
      return static_cast<std::int64_t>(value << (64 - bits)) >> (64 - bits);
    };
    __extension__ const __int128 product = factor(a, 27) * factor(b, 18);
    sum = of_96(alumode == kAdd ? sum + static_cast<Wide>(product) : sum - static_cast<Wide>(product));
    if (below.rstp) sum = 0;
    mode_before = alumode;
    reset_before = below.rstp;
    low = pair.low.p.value;
  }
}

TEST_CASE("a product that was reset carries nothing into the upper slice while one of zero carries what Y takes back") {
  Dsp48e2Attributes at = test::combinational(0);
  at.mreg = 1;
  Dsp48e2 slice(at);
  In in = test::enabled();
  in.opmode = kM;
  in.a = in.b = 0;
  const Dsp48e2Outputs zero = slice.step(in);
  CHECK((zero.p.value == 0 && zero.carrycascout.value == 1 && zero.multsignout.value == 0));
  in.rstm = true;
  const Dsp48e2Outputs reset = slice.step(in);
  CHECK((reset.p.value == 0 && reset.carrycascout.value == 0 && reset.multsignout.value == 0));
  in = half(0, ones(48), kSubtract, kCminus0);
  CHECK(slice.step(in).carrycascout.value == 0);
}

}  // namespace fansim::dsp48e2_wide_test

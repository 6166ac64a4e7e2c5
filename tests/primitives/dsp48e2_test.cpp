// SPDX-License-Identifier: Apache-2.0
#include "primitives/dsp48e2.h"

#include <catch2/catch.hpp>

#include "dsp48e2_stimuli.h"

namespace fansim::dsp48e2_test {

using namespace primitives;
using At = Dsp48e2Attributes;
using In = Dsp48e2Inputs;
using test::combinational;
using test::enabled;

namespace {

constexpr std::uint64_t kM = 0b000000101, kC = 0b000110000, kAB = 0b000000011, kCplusAB = 0b000110011;
constexpr std::uint64_t kPplusC = 0b000101100;

In sum_of(std::uint64_t ab, std::uint64_t c, std::uint64_t alumode, std::uint64_t opmode = kCplusAB) {
  In in = enabled();
  in.a = ab >> 18;
  in.b = ab & ones(18);
  in.c = c;
  in.alumode = alumode;
  in.opmode = opmode;
  return in;
}

At simd(At::Simd mode) {
  At at = combinational(0);
  at.use_mult = At::Multiplier::none;
  at.use_simd = mode;
  return at;
}

}  // namespace

TEST_CASE("at power-up every register is zero and open clock enables keep it so") {
  Dsp48e2 slice{At()};
  In in;
  in.opmode = kM;
  for (int row = 0; row < 4; ++row) {
    const auto values = test::values(slice.step(in));
    for (const Bits& value : values) CHECK(value.value == 0);
  }
}

TEST_CASE("a product takes as many edges as it passes registers") {
  for (int areg = 0; areg <= 2; ++areg)
    for (int mreg = 0; mreg <= 1; ++mreg)
      for (int preg = 0; preg <= 1; ++preg) {
        At at = combinational(preg);
        at.areg = at.acascreg = at.breg = at.bcascreg = areg;
        at.mreg = mreg;
        Dsp48e2 slice(at);
        In in = enabled();
        in.opmode = kM;
        in.a = 0x3ffffff9;
        in.b = 6;  // -7 * 6
        int row = 1;
        while (slice.step(in).p.value != (-42 & ones(48))) REQUIRE(++row < 8);
        CHECK(row == std::max(1, areg + mreg + preg));
      }
}

TEST_CASE("the multiplier is exact at its corners") {
  const std::int64_t a_corners[] = {-(1 << 26), -(1 << 26) + 1, -1, 0, 1, (1 << 26) - 1};
  const std::int64_t b_corners[] = {-(1 << 17), -(1 << 17) + 1, -1, 0, 1, (1 << 17) - 1};
  Dsp48e2 slice(combinational(0));
  for (const std::int64_t a : a_corners)
    for (const std::int64_t b : b_corners) {
      In in = enabled();
      in.opmode = kM;
      in.a = static_cast<std::uint64_t>(a) & ones(30);
      in.b = static_cast<std::uint64_t>(b) & ones(18);
      const Dsp48e2Outputs out = slice.step(in);
      CHECK(out.p.value == (static_cast<std::uint64_t>(a * b) & ones(48)));
      CHECK(out.carrycascout.value == (a * b < 0 ? 0 : 1));  // in two words the product is 2^48 more
    }
}

TEST_CASE("squares come from the pre-adder on both sides of the multiplier") {
  At at = combinational(0);
  at.amultsel = At::MultiplierA::ad;
  at.bmultsel = At::MultiplierB::ad;
  for (const auto source : {At::PreAdder::a, At::PreAdder::b}) {
    at.preaddinsel = source;
    Dsp48e2 slice(at);
    In in = enabled();
    in.opmode = kM;
    in.inmode = 0b01100;  // D - A or D - B
    in.d = 1000;
    in.a = 300;
    in.b = 300;
    CHECK(slice.step(in).p.value == 490000);
    in.d = 0;
    in.a = ones(30);
    in.b = ones(18);  // 0 - (-1)
    CHECK(slice.step(in).p.value == 1);
  }
}

TEST_CASE("the carry out of a subtraction is the fabric's while the cascaded one is a borrow") {
  struct Row {
    std::uint64_t ab, c, alumode, p, carryout, cascade;
  };
  const Row rows[] = {{1, ones(48), 0, 0, 1, 1},        {0, ones(48), 0, ones(48), 0, 0}, {1, 1, 3, 0, 1, 0},
                      {2, 1, 3, ones(48), 0, 1},        {0, 0, 1, ones(48), 0, 0},        {1, 0, 1, 0, 1, 1},
                      {1, ones(48), 2, ones(48), 1, 1}, {0, 0, 2, ones(48), 0, 0}};
  Dsp48e2 slice(combinational(0));
  for (const Row& row : rows) {
    const Dsp48e2Outputs out = slice.step(sum_of(row.ab, row.c, row.alumode));
    CAPTURE(row.ab, row.c, row.alumode);
    CHECK(out.p.value == row.p);
    CHECK(out.carryout.value == row.carryout << 3);
    CHECK((out.carryout.unknown | out.carryout.beyond | out.carrycascout.beyond) == 0);
    CHECK(out.carrycascout.value == row.cascade);
  }
}

TEST_CASE("SIMD lanes keep their carries at one per lane and CARRYIN enters the lowest") {
  Dsp48e2 four(simd(At::Simd::four12));
  In in = sum_of(0x001001001001, 0xfff00ffff7ff, 0);
  Dsp48e2Outputs out = four.step(in);
  CHECK(out.p.value == 0x000010000800);
  CHECK(out.carryout.value == 0b1010);
  CHECK(out.carryout.unknown == 0);
  in.carryin = true;
  CHECK(four.step(in).p.value == 0x000010000801);
  in = sum_of(0x001001001001, 0x000001002000, 3);
  out = four.step(in);
  CHECK(out.p.value == 0xfff000001fff);
  CHECK(out.carryout.value == 0b0110);

  Dsp48e2 two(simd(At::Simd::two24));
  out = two.step(sum_of(0x000001000001, 0xffffff7fffff, 0));
  CHECK(out.p.value == 0x000000800000);
  CHECK(out.carryout.value == 0b1000);
  CHECK(out.carryout.unknown == 0);
}

TEST_CASE("two slices make a 96-bit accumulator of products") {
  At low = combinational(1), high = combinational(1);
  high.opmodereg = 1;
  Dsp48e2 lower(low), upper(high);
  In in = enabled(), next = enabled();
  next.opmode = 0b001001000;
  next.carryinsel = 2;
  upper.step(next);  // its OPMODE register
  __extension__ __int128 expected = 0;
  const std::int64_t factors[][2] = {{-(1 << 26), (1 << 17) - 1}, {(1 << 26) - 1, (1 << 17) - 1}, {-3, 5}};
  for (int i = 0; i < 300; ++i) {
    const auto& f = factors[i < 100 ? 1 : i < 250 ? 0 : 2];
    in.a = static_cast<std::uint64_t>(f[0]) & ones(30);
    in.b = static_cast<std::uint64_t>(f[1]) & ones(18);
    in.opmode = 0b000100101;  // P + M
    const Dsp48e2Outputs l = lower.step(in);
    next.multsignin = l.multsignout.value != 0;
    next.carrycascin = l.carrycascout.value != 0;
    const Dsp48e2Outputs u = upper.step(next);
    expected += f[0] * f[1];
    REQUIRE(l.p.value == (static_cast<std::uint64_t>(expected) & ones(48)));
    REQUIRE(u.p.value == (static_cast<std::uint64_t>(expected >> 48) & ones(48)));
  }
}

TEST_CASE("the shifted cascade keeps the sign") {
  Dsp48e2 slice(combinational(0));
  In in = enabled();
  in.opmode = 0b001010000;
  in.pcin = 0x800000000000;
  CHECK(slice.step(in).p.value == 0xffffc0000000);
  in.pcin = 0x7fffffffffff;
  CHECK(slice.step(in).p.value == 0x3fffffff);
}

TEST_CASE("the pattern detector answers with P and tells overflow and underflow beside it") {
  At at = combinational(1);
  at.use_pattern_detect = At::PatternDetect::on;
  at.mask = 3;  // legal values are 3 to -4
  Dsp48e2 slice(at);
  In in = enabled();
  in.opmode = kPplusC;
  in.c = 1;
  const auto run = [&](std::uint64_t c, int rows) {
    Dsp48e2Outputs out;
    in.c = c;
    for (int i = 0; i < rows; ++i) out = slice.step(in);
    return out;
  };
  CHECK(run(1, 3).patterndetect.value == 1);
  const Dsp48e2Outputs over = run(1, 1);
  CHECK(over.p.value == 4);
  CHECK(over.patterndetect.value == 0);
  CHECK(over.overflow.value == 1);
  CHECK(over.underflow.value == 0);
  CHECK(run(1, 1).overflow.value == 0);
  in.rstp = true;
  CHECK(run(0, 1).patterndetect.value == 0);
  in.rstp = false;
  CHECK(run(0, 1).patterndetect.value == 1);  // high after the reset: P matches
  CHECK(run(ones(48), 4).patternbdetect.value == 1);
  const Dsp48e2Outputs under = run(ones(48), 1);
  CHECK(under.p.value == (-5 & ones(48)));
  CHECK(under.underflow.value == 1);
  CHECK(under.overflow.value == 0);
}

TEST_CASE("a counter resets itself on its terminal count before or behind its clock enable") {
  for (const auto priority : {At::AutoresetPriority::reset, At::AutoresetPriority::cep}) {
    At at = combinational(1);
    at.use_pattern_detect = At::PatternDetect::on;
    at.autoreset_patdet = At::Autoreset::match;
    at.autoreset_priority = priority;
    at.mask = 0;
    at.pattern = 4;
    Dsp48e2 slice(at);
    In in = enabled();
    in.opmode = kPplusC;
    in.c = 1;
    for (std::uint64_t count : {1, 2, 3, 4, 0, 1, 2, 3, 4}) CHECK(slice.step(in).p.value == count);
    in.cep = false;
    CHECK(slice.step(in).p.value == (priority == At::AutoresetPriority::reset ? 0 : 4));
  }
  At at = combinational(1);
  at.use_pattern_detect = At::PatternDetect::on;
  at.autoreset_patdet = At::Autoreset::not_match;
  at.mask = 3;
  Dsp48e2 slice(at);
  In in = enabled();
  in.opmode = kPplusC;
  in.c = 3;
  for (std::uint64_t count : {3, 6, 0, 3, 6, 0}) CHECK(slice.step(in).p.value == count);
}

TEST_CASE("the wide XOR reduces A:B and C in groups") {
  for (const auto mode : {At::XorSimd::xor12, At::XorSimd::xor24_48_96}) {
    At at = combinational(0);
    at.use_mult = At::Multiplier::none;
    at.use_widexor = At::WideXor::on;
    at.xorsimd = mode;
    Dsp48e2 slice(at);
    for (int bit = 0; bit < 48; ++bit) {
      const Dsp48e2Outputs out = slice.step(sum_of(std::uint64_t{1} << bit, 0, 4));
      const int sixth = bit / 6, quarter = bit / 12;
      const unsigned narrow = 1u << sixth;
      const unsigned wide = 1u << (quarter * 2) | (quarter < 2 ? 1u << 1 : 1u << 5) | 1u << 3 | (narrow & 0x80);
      CHECK(out.xorout.value == (mode == At::XorSimd::xor12 ? narrow : wide));
    }
    const Dsp48e2Outputs sum = slice.step(sum_of(1, 0, 0));
    CHECK((sum.xorout.value & 1) == 1);  // also beside a sum
    CHECK(sum.xorout.beyond == 0xff);
  }
}

TEST_CASE("an inverted pin acts before its register and an inverted clock after the sample") {
  At at;
  at.is_opmode_inverted = 0x1ff;
  at.is_alumode_inverted = 0xf;
  at.is_inmode_inverted = 0x1f;
  at.is_carryin_inverted = 1;
  at.is_rstp_inverted = 1;
  Dsp48e2 slice(at);
  In in = enabled();
  in.opmode = ~kC & 0x1ff;
  in.alumode = 0xf;
  in.inmode = 0x1f;
  in.carryin = false;
  in.c = 41;
  in.rstp = true;
  for (int row = 0; row < 2; ++row) slice.step(in);
  CHECK(slice.step(in).p.value == 42);
  in.rstp = false;
  CHECK(slice.step(in).p.value == 0);

  At falling = combinational(1);
  falling.is_clk_inverted = 1;
  Dsp48e2 late(falling);
  in = enabled();
  in.opmode = kC;
  in.c = 1;
  CHECK(late.step(in).p.value == 0);
  in.c = 2;
  CHECK(late.step(in).p.value == 1);
}

TEST_CASE("cascades carry A and B behind as many registers as they say") {
  for (int cascade = 1; cascade <= 2; ++cascade) {
    At at;
    at.areg = at.breg = 2;
    at.acascreg = at.bcascreg = cascade;
    at.a_input = at.b_input = At::Source::cascade;
    Dsp48e2 slice(at);
    In in = enabled();
    in.acin = 5;
    in.bcin = 6;
    Dsp48e2Outputs out;
    for (int row = 0; row < cascade; ++row) {
      CHECK(out.acout.value == 0);
      out = slice.step(in);
    }
    CHECK(out.acout.value == 5);
    CHECK(out.bcout.value == 6);
  }
}

}  // namespace fansim::dsp48e2_test

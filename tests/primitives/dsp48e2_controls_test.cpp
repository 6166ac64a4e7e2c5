// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "dsp48e2_reference.h"
#include "dsp48e2_stimuli.h"
#include "support/user_error.h"

namespace fansim::dsp48e2_controls_test {

using namespace primitives;
using At = Dsp48e2Attributes;
using In = Dsp48e2Inputs;

namespace {

struct Control {
  unsigned opmode, alumode, carryinsel;
  unsigned w() const { return opmode >> 7; }
  unsigned x() const { return opmode & 3; }
  unsigned y() const { return opmode >> 2 & 3; }
  unsigned z() const { return opmode >> 4 & 7; }
};

// Applies the notes beside UG579's tables of OPMODE, ALUMODE and CARRYINSEL.
bool documented(const At& at, const Control& c) {
  if ((c.x() == 1) != (c.y() == 1)) return false;
  if (c.z() == 7 || (c.z() == 4 && c.opmode != 0b001001000)) return false;
  const bool p = c.w() == 1 || c.x() == 2 || c.z() == 2 || c.z() == 4 || c.z() == 6;
  if (p && at.preg == 0) return false;
  if (c.x() == 1 && at.use_mult == At::Multiplier::none) return false;
  if (c.alumode < 4) return at.preg == 1 || (c.carryinsel != 4 && c.carryinsel != 5 && c.carryinsel != 7);
  if (c.alumode >= 8 && c.alumode < 12) return false;
  return c.w() == 0 && c.x() != 1 && c.z() != 4 && (c.y() != 3 || c.alumode == 4);
}

// Row 0 brings C into P; row 1 has the control word.
int check_all(const At& at, int first_carryinsel, int last_carryinsel) {
  int wrong = 0;
  base::Random random(7);
  for (unsigned word = 0; word < 512 * 16; ++word) {
    for (int carryinsel = first_carryinsel; carryinsel <= last_carryinsel; ++carryinsel) {
      const Control control{word >> 4, word & 15, static_cast<unsigned>(carryinsel)};
      In in = test::enabled();
      in.c = test::boundary_or_random(random, 48);
      in.opmode = 0b000110000;
      Dsp48e2 slice(at);
      test::Dsp48e2Reference reference(at);
      slice.step(in);
      reference.row(in);
      in.a = test::boundary_or_random(random, 30);
      in.b = test::boundary_or_random(random, 18);
      in.c = test::boundary_or_random(random, 48);
      in.pcin = test::boundary_or_random(random, 48);
      in.carryin = random.chance(50);
      in.carrycascin = random.chance(50);
      in.multsignin = random.chance(50);
      in.opmode = control.opmode;
      in.alumode = control.alumode;
      in.carryinsel = control.carryinsel;
      const Dsp48e2Outputs out = slice.step(in);
      if (!documented(at, control)) {
        wrong += out.report.empty() || out.p.unknown != 0 || out.p.beyond != ones(48) || out.carrycascout.beyond != 1;
        continue;
      }
      reference.row(in);
      const auto expected = test::values(reference.outputs());
      const auto actual = test::values(out);
      bool equal = out.report.empty() && out.p.beyond == 0;
      for (std::size_t i = 0; i < actual.size(); ++i)
        equal = equal && actual[i].value == expected[i].value && actual[i].unknown == expected[i].unknown;
      wrong += equal ? 0 : 1;
    }
  }
  return wrong;
}

At with(int preg, At::Multiplier multiplier, At::Simd simd = At::Simd::one48) {
  At at = test::combinational(preg);
  at.use_mult = multiplier;
  at.use_simd = simd;
  at.rnd = 0x800000000001;
  return at;
}

}  // namespace

TEST_CASE("every word of OPMODE and ALUMODE is in the guide and right or reported with and without P and M") {
  CHECK(check_all(with(1, At::Multiplier::multiply), 0, 7) == 0);
  CHECK(check_all(with(0, At::Multiplier::dynamic), 0, 7) == 0);
  CHECK(check_all(with(1, At::Multiplier::none), 0, 0) == 0);
}

TEST_CASE("every word of OPMODE and ALUMODE is in the guide and right or reported in the SIMD modes") {
  CHECK(check_all(with(1, At::Multiplier::none, At::Simd::two24), 0, 7) == 0);
  CHECK(check_all(with(1, At::Multiplier::none, At::Simd::four12), 0, 7) == 0);
}

TEST_CASE("a report names the control words and the rule and what follows from a P beyond the guide is beyond it too") {
  At at = with(1, At::Multiplier::multiply);
  at.use_pattern_detect = At::PatternDetect::on;
  Dsp48e2 slice(at);
  In in = test::enabled();
  in.opmode = 0b001110000;
  CHECK(slice.step(in).report ==
        "OPMODE 001110000, ALUMODE 0000, CARRYINSEL 000, INMODE 00000: Z select 111 is illegal; UG579 leaves P "
        "undefined, its value is that of the vendor's library");
  in.opmode = 0b000100000;  // P = P
  const Dsp48e2Outputs held = slice.step(in);
  CHECK(held.report.empty());
  CHECK(held.p.beyond == ones(48));
  CHECK(held.patterndetect.beyond == 1);
  CHECK(held.overflow.beyond == 1);
  in.opmode = 0b000110000;  // P = C
  in.c = 5;
  CHECK(slice.step(in).p.value == 5);
  CHECK(slice.step(in).p.beyond == 0);
}

TEST_CASE("a row that the P register does not take is not reported") {
  In in = test::enabled();
  in.opmode = 0b001110000;
  for (bool In::*pin : {&In::cep, &In::clk}) {
    Dsp48e2 slice(with(1, At::Multiplier::multiply));
    in.*pin = false;
    CHECK(slice.step(in).report.empty());
    in.*pin = true;
  }
  in.rstp = true;
  CHECK(Dsp48e2(with(1, At::Multiplier::multiply)).step(in).report.empty());
  CHECK_THAT(Dsp48e2(with(0, At::Multiplier::multiply)).step(in).report, Catch::Contains("Z select 111"));
}

TEST_CASE("INMODE that chooses a register which is not there is reported where its product arrives") {
  At at = with(1, At::Multiplier::multiply);
  In in = test::enabled();
  in.opmode = 0b000000101;
  for (const unsigned inmode : {0b00001u, 0b10000u}) {
    Dsp48e2 slice(at);
    in.inmode = inmode;
    const Dsp48e2Outputs out = slice.step(in);
    CHECK(out.p.value == 0);  // the library has zero in the register
    CHECK(out.p.beyond == ones(48));
    CHECK_THAT(out.report, Catch::Contains("INMODE[0] was 1 with AREG 0"));
    in.opmode = 0b000110000;
    CHECK(slice.step(in).report.empty());
    in.opmode = 0b000000101;
  }
}

TEST_CASE("INMODE that chooses a register which is not there does no harm where its path is gated or not taken") {
  In in = test::enabled();
  in.opmode = 0b000000101;
  in.a = 3;
  in.b = 4;
  in.d = 5;
  At at = with(1, At::Multiplier::multiply);
  in.inmode = 0b00011;  // A gated
  CHECK(Dsp48e2(at).step(in).p.value == 0);
  CHECK(Dsp48e2(at).step(in).report.empty());
  at.preaddinsel = At::PreAdder::b;
  at.amultsel = At::MultiplierA::ad;
  in.inmode = 0b00101;  // (D + B) * B: A has no part in it
  CHECK(Dsp48e2(at).step(in).p.value == 36);
  at.bmultsel = At::MultiplierB::ad;
  at.adreg = 1;
  in.inmode = 0b10100;  // B1 into the pre-adder's register
  Dsp48e2 slice(at);
  CHECK(slice.step(in).p.value == 0);
  CHECK(slice.step(in).p.beyond == ones(48));
}

TEST_CASE("attributes that do not go together are refused") {
  const auto refusal = [](int At::*first, int one, int At::*second, int two) {
    At at;
    at.*first = one;
    at.*second = two;
    return test::message_of([&] { Dsp48e2 slice(at); });
  };
  CHECK(refusal(&At::areg, 0, &At::acascreg, 1) == "DSP48E2: ACASCREG 1 with AREG 0; legal: 0");
  CHECK(refusal(&At::areg, 1, &At::acascreg, 2) == "DSP48E2: ACASCREG 2 with AREG 1; legal: 1");
  CHECK(refusal(&At::areg, 2, &At::acascreg, 0) == "DSP48E2: ACASCREG 0 with AREG 2; legal: 1, 2");
  CHECK(refusal(&At::breg, 1, &At::bcascreg, 0) == "DSP48E2: BCASCREG 0 with BREG 1; legal: 1");
  CHECK(refusal(&At::areg, 2, &At::acascreg, 1).empty());
  CHECK(refusal(&At::breg, 2, &At::bcascreg, 2).empty());
  At at;
  at.use_simd = At::Simd::two24;
  CHECK(test::message_of([&] { Dsp48e2 slice(at); }) == "DSP48E2: USE_SIMD TWO24 and FOUR12 need USE_MULT NONE");
  at = At();
  at.preg = 0;
  at.autoreset_patdet = At::Autoreset::match;
  CHECK_THAT(test::message_of([&] { Dsp48e2 slice(at); }), Catch::Contains("it needs PREG 1"));
}

TEST_CASE("what UG579 leaves undefined has the library's value and a mark") {
  At at = with(1, At::Multiplier::multiply);
  at.use_widexor = At::WideXor::on;
  const auto one = [&](std::uint64_t opmode, std::uint64_t alumode) {
    In in = test::enabled();
    in.opmode = opmode;
    in.alumode = alumode;
    in.a = ones(30);
    in.b = ones(18);
    in.c = ones(48);
    in.pcin = 1;
    return Dsp48e2(at).step(in);
  };
  const Dsp48e2Outputs two = one(0b000110011, 0);  // C + A:B
  CHECK((two.p.beyond | two.carryout.beyond | two.carrycascout.beyond) == 0);
  CHECK(two.multsignout.beyond == 1);  // there is no product
  CHECK(two.xorout.beyond == 0xff);
  const Dsp48e2Outputs four = one(0b110011111, 0);  // C + C + A:B + PCIN
  CHECK((four.p.value == ones(48) - 1 && four.p.beyond == 0));
  CHECK((four.carryout.value == 0b0000 && four.carryout.beyond != 0));
  CHECK((four.carrycascout.value == 0 && four.carrycascout.beyond == 1));
  CHECK(four.multsignout.value == 1);
  const Dsp48e2Outputs product = one(0b000000101, 0);
  CHECK((product.p.value == 1 && product.carryout.beyond != 0 && product.carrycascout.beyond == 0));
  CHECK(product.multsignout.beyond == 0);
  const Dsp48e2Outputs half = one(0b000000001, 0);  // the word of M that X takes: 2^48 - 2^44 and its even bits
  CHECK((half.p.value == 0xf00000000001 && half.p.beyond == ones(48) && !half.report.empty()));
  CHECK(one(0b000110011, 10).p.value == (ones(48) ^ (3 * ones(48) & ones(48))));  // ALUMODE 1010: not(3 x and)
  CHECK(one(0b000110011, 12).carryout.beyond != 0);
  CHECK(one(0b000110011, 4).xorout.beyond == 0);
}

TEST_CASE("without PATDET both patterns match and overflow has no value") {
  At at = with(1, At::Multiplier::multiply);
  at.mask = 0;
  at.pattern = 7;
  for (const int preg : {0, 1}) {
    at.preg = preg;
    In in = test::enabled();
    in.opmode = 0b000110000;
    in.c = 5;
    at.use_pattern_detect = At::PatternDetect::off;
    const Dsp48e2Outputs off = Dsp48e2(at).step(in);
    CHECK((off.patterndetect.value == 1 && off.patternbdetect.value == 1 && off.patterndetect.beyond == 1));
    CHECK((off.overflow.unknown == 1 && off.underflow.unknown == 1));
    at.use_pattern_detect = At::PatternDetect::on;
    const Dsp48e2Outputs on = Dsp48e2(at).step(in);
    CHECK((on.patterndetect.value == 0 && on.patternbdetect.value == 0 && on.patterndetect.beyond == 0));
    CHECK((on.overflow.unknown == 0 && on.overflow.beyond == (preg == 0 ? 1 : 0)));
  }
}

}  // namespace fansim::dsp48e2_controls_test

// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "primitives/carry8.h"
#include "primitives/cfglut5.h"
#include "primitives/srlc32e.h"

namespace fansim::lut_shift_test {

using namespace primitives;

namespace {

constexpr std::uint64_t kInit = 0x8421c3a5;

Cfglut5::Inputs look_up(int address) {
  Cfglut5::Inputs in;
  in.ce = false;
  in.i0 = address & 1;
  in.i1 = address & 2;
  in.i2 = address & 4;
  in.i3 = address & 8;
  in.i4 = address & 16;
  return in;
}

}  // namespace

TEST_CASE("CFGLUT5 powers up with INIT: O6 reads all of it and O5 its lower half and CDO the last bit") {
  Cfglut5 lut({kInit, 0});
  for (int address = 0; address < 32; ++address) {
    const Cfglut5::Outputs out = lut.step(look_up(address));
    CAPTURE(address);
    CHECK(out.o6.value == (kInit >> address & 1));
    CHECK(out.o5.value == (kInit >> (address & 15) & 1));
    CHECK(out.cdo.value == 1);
  }
}

TEST_CASE("CFGLUT5 takes a new table in 32 enabled edges from the top bit on and hands the old one on at CDO") {
  constexpr std::uint64_t kNext = 0x5aa50ff1;
  Cfglut5 lut({kInit, 0});
  for (int bit = 31; bit >= 0; --bit) {
    Cfglut5::Inputs in = look_up(0);
    CHECK(lut.step(in).cdo.value == (kInit >> bit & 1));
    in.clk = false;
    in.ce = true;
    in.cdi = true;
    CHECK(lut.step(in).cdo.value == (kInit >> bit & 1));
    in.clk = true;
    in.cdi = (kNext >> bit & 1) != 0;
    lut.step(in);
  }
  for (int address = 0; address < 32; ++address) CHECK(lut.step(look_up(address)).o6.value == (kNext >> address & 1));
}

TEST_CASE(
    "SRLC32E shifts with an open CE and CFGLUT5 does not while both take the falling edge if the clock is inverted") {
  Cfglut5 lut({0, 0}), falling_lut({0, 1});
  Cfglut5::Inputs in;
  in.cdi = true;
  CHECK(lut.step(in).o6.value == 0);
  CHECK(falling_lut.step(in).o6.value == 0);
  in.ce = true;
  CHECK(lut.step(in).o6.value == 1);
  CHECK(falling_lut.step(in).o6.value == 0);
  in.cdi = false;
  CHECK(lut.step(in).o6.value == 0);
  CHECK(falling_lut.step(in).o6.value == 1);

  Srlc32e srl({0, 0}), falling_srl({0, 1});
  Srlc32e::Inputs shift;
  shift.d = true;
  CHECK(srl.step(shift).q.value == 1);
  CHECK(falling_srl.step(shift).q.value == 0);
  CHECK(falling_srl.step(shift).q.value == 1);
}

TEST_CASE("SRLC32E shows the bit that entered A + 1 edges ago without a clock and the oldest at Q31") {
  Srlc32e srl({kInit, 0});
  Srlc32e::Inputs in;
  std::vector<int> entered;
  for (int bit = 31; bit >= 0; --bit) entered.push_back(static_cast<int>(kInit >> bit & 1));
  for (int edge = 0; edge < 100; ++edge) {
    in.d = edge % 7 < 3;
    in.ce = edge % 5 != 0;
    in.clk = edge % 3 != 0;
    in.a = static_cast<std::uint64_t>(edge) % 32;
    const Srlc32e::Outputs out = srl.step(in);
    if (in.ce && in.clk) entered.push_back(in.d ? 1 : 0);
    CAPTURE(edge);
    CHECK(out.q.value == static_cast<std::uint64_t>(entered[entered.size() - 1 - in.a]));
    CHECK(out.q31.value == static_cast<std::uint64_t>(entered[entered.size() - 32]));
  }
}

TEST_CASE("CARRY8 adds eight bits or twice four with CARRY_TYPE DUAL_CY4 over all operands") {
  const Carry8 single({Carry8::Type::single_cy8}), dual({Carry8::Type::dual_cy4});
  int wrong = 0;
  for (unsigned a = 0; a < 256; ++a) {
    for (unsigned b = 0; b < 256; ++b) {
      for (unsigned carries = 0; carries < 4; ++carries) {
        Carry8::Inputs in;
        in.s = a ^ b;
        in.di = a;
        in.ci = carries & 1;
        in.ci_top = carries & 2;
        const unsigned low = (a & 15) + (b & 15) + (carries & 1), high = (a >> 4) + (b >> 4) + (carries >> 1);
        const Carry8::Outputs two = dual.step(in);
        wrong += two.o.value != ((low & 15) | (high & 15) << 4);
        wrong += (two.co.value >> 3 & 1) != low >> 4 || two.co.value >> 7 != high >> 4;
        in.ci_top = false;
        const unsigned sum = a + b + (carries & 1);
        const Carry8::Outputs one = single.step(in);
        wrong += one.o.value != (sum & 255) || one.co.value >> 7 != sum >> 8;
      }
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("CARRY8 propagates bit by bit where S is 1 and generates DI where it is 0") {
  const Carry8 carry({Carry8::Type::single_cy8});
  for (unsigned s = 0; s < 256; s += 5) {
    for (unsigned di = 0; di < 256; di += 3) {
      Carry8::Inputs in;
      in.s = s;
      in.di = di;
      in.ci = true;
      const Carry8::Outputs out = carry.step(in);
      bool before = true;
      for (int bit = 0; bit < 8; ++bit) {
        const bool propagates = s >> bit & 1;
        const bool after = propagates ? before : (di >> bit & 1) != 0;
        REQUIRE((out.o.value >> bit & 1) == (propagates != before ? 1u : 0u));
        REQUIRE((out.co.value >> bit & 1) == (after ? 1u : 0u));
        before = after;
      }
    }
  }
  Carry8::Inputs in;
  in.ci_top = true;
  CHECK_THAT(carry.step(in).report, Catch::Contains("CI_TOP"));
}

}  // namespace fansim::lut_shift_test

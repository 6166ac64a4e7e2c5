// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "dsp48e2_reference.h"
#include "dsp48e2_stimuli.h"

namespace fansim::dsp48e2_random_test {

using namespace primitives;
using base::Random;
using test::Dsp48e2Reference;
using At = Dsp48e2Attributes;
using In = Dsp48e2Inputs;

namespace {

// Selects the OPMODEs and ALUMODEs that a run draws, such that separately enabled control registers stay documented.
enum class Kind { arithmetic, two_operands, logic, three_input_xor };

template <class Enum>
Enum any(Random& random, int last) {
  return static_cast<Enum>(random.uniform(0, last));
}

At random_attributes(Random& random) {
  At at = test::combinational(random.uniform(0, 1));
  at.areg = random.uniform(0, 2);
  at.acascreg = at.areg == 2 ? random.uniform(1, 2) : at.areg;
  at.breg = random.uniform(0, 2);
  at.bcascreg = at.breg == 2 ? random.uniform(1, 2) : at.breg;
  for (int At::*reg : {&At::adreg, &At::alumodereg, &At::carryinreg, &At::carryinselreg, &At::creg, &At::dreg,
                       &At::inmodereg, &At::mreg, &At::opmodereg})
    at.*reg = random.uniform(0, 1);
  at.a_input = any<At::Source>(random, 1);
  at.b_input = any<At::Source>(random, 1);
  at.amultsel = any<At::MultiplierA>(random, 1);
  at.bmultsel = any<At::MultiplierB>(random, 1);
  at.preaddinsel = any<At::PreAdder>(random, 1);
  if (at.preg == 1) at.autoreset_patdet = any<At::Autoreset>(random, 2);
  at.autoreset_priority = any<At::AutoresetPriority>(random, 1);
  at.mask = random.chance(50) ? ones(48) << random.uniform(0, 47) & ones(48) : ones(random.uniform(0, 48));
  at.pattern = test::boundary_or_random(random, 48);
  at.rnd = test::boundary_or_random(random, 48);
  at.sel_mask = any<At::Mask>(random, 3);
  at.sel_pattern = any<At::Pattern>(random, 1);
  at.use_mult = any<At::Multiplier>(random, 2);
  if (at.use_mult == At::Multiplier::none) at.use_simd = any<At::Simd>(random, 2);
  at.use_pattern_detect = any<At::PatternDetect>(random, 1);
  at.use_widexor = any<At::WideXor>(random, 1);
  at.xorsimd = any<At::XorSimd>(random, 1);
  return at;
}

std::uint64_t random_opmode(Random& random, const At& at, Kind kind) {
  const bool feedback = at.preg == 1;
  const auto pick = [&](std::initializer_list<unsigned> with, std::initializer_list<unsigned> without) {
    const auto& list = feedback ? with : without;
    return std::uint64_t{*(list.begin() + random.uniform(0, static_cast<int>(list.size()) - 1))};
  };
  const bool sums = kind == Kind::arithmetic || kind == Kind::two_operands;
  if (sums && feedback && random.chance(5)) return 0b001001000;  // MACC_EXTEND
  std::uint64_t w = sums ? pick({0, 1, 2, 3}, {0, 2, 3}) : 0;
  std::uint64_t x = pick({0, 2, 3}, {0, 3});
  std::uint64_t y = kind == Kind::logic ? pick({0, 2}, {0, 2}) : pick({0, 2, 3}, {0, 2, 3});
  const std::uint64_t z = pick({0, 1, 2, 3, 5, 6}, {0, 1, 3, 5});
  if (sums && at.use_mult != At::Multiplier::none && random.chance(50)) x = y = 1;
  if (kind == Kind::two_operands) {  // Z and one more
    const int keep = y == 1 ? 1 : random.uniform(0, 2);
    if (keep != 0) w = 0;
    if (keep != 1) x = 0;
    if (keep == 0 || (keep == 1 && y != 1)) y = 0;
  }
  return w << 7 | z << 4 | y << 2 | x;
}

In random_row(Random& random, const At& at, Kind kind, int busy) {
  In in = test::enabled();
  for (bool In::*enable : {&In::cea1, &In::cea2, &In::cead, &In::cealumode, &In::ceb1, &In::ceb2, &In::cec,
                           &In::cecarryin, &In::cectrl, &In::ced, &In::ceinmode, &In::cem, &In::cep, &In::clk})
    in.*enable = random.chance(busy);
  for (bool In::*reset : {&In::rsta, &In::rstallcarryin, &In::rstalumode, &In::rstb, &In::rstc, &In::rstctrl, &In::rstd,
                          &In::rstinmode, &In::rstm, &In::rstp})
    in.*reset = random.chance((100 - busy) / 4);
  in.a = test::boundary_or_random(random, 30);
  in.acin = test::boundary_or_random(random, 30);
  in.b = test::boundary_or_random(random, 18);
  in.bcin = test::boundary_or_random(random, 18);
  in.c = test::boundary_or_random(random, 48);
  in.d = test::boundary_or_random(random, 27);
  in.pcin = test::boundary_or_random(random, 48);
  in.carrycascin = random.chance(50);
  in.carryin = random.chance(50);
  in.multsignin = random.chance(50);
  in.inmode = random.next() & 31;
  if (at.areg == 0) in.inmode &= 0b11110;
  if (at.breg == 0) in.inmode &= 0b01111;
  in.opmode = random_opmode(random, at, kind);
  constexpr unsigned kLogic[] = {4, 5, 6, 7, 12, 13, 14, 15};
  in.alumode = kind == Kind::three_input_xor ? 4u
               : kind == Kind::logic         ? kLogic[random.uniform(0, 7)]
                                             : static_cast<unsigned>(random.uniform(0, 3));
  do in.carryinsel = random.next() & 7;
  while (at.preg == 0 && (in.carryinsel == 4 || in.carryinsel == 5 || in.carryinsel == 7));
  return in;
}

// Holds the same row on pins of which some are inverted.
struct Inversions {
  std::uint64_t At::*inverted;
  bool In::*pin;
};
constexpr Inversions kInversions[] = {{&At::is_carryin_inverted, &In::carryin},
                                      {&At::is_rstallcarryin_inverted, &In::rstallcarryin},
                                      {&At::is_rstalumode_inverted, &In::rstalumode},
                                      {&At::is_rsta_inverted, &In::rsta},
                                      {&At::is_rstb_inverted, &In::rstb},
                                      {&At::is_rstctrl_inverted, &In::rstctrl},
                                      {&At::is_rstc_inverted, &In::rstc},
                                      {&At::is_rstd_inverted, &In::rstd},
                                      {&At::is_rstinmode_inverted, &In::rstinmode},
                                      {&At::is_rstm_inverted, &In::rstm},
                                      {&At::is_rstp_inverted, &In::rstp}};

At inverted(At at, Random& random) {
  at.is_alumode_inverted = random.next() & 15;
  at.is_inmode_inverted = random.next() & 31;
  at.is_opmode_inverted = random.next() & 511;
  for (const auto& [attribute, pin] : kInversions) at.*attribute = random.next() & 1;
  return at;
}

In on_pins(In in, const At& at) {
  in.alumode ^= at.is_alumode_inverted;
  in.inmode ^= at.is_inmode_inverted;
  in.opmode ^= at.is_opmode_inverted;
  for (const auto& [attribute, pin] : kInversions) in.*pin = in.*pin != (at.*attribute == 1);
  return in;
}

void compare(std::uint64_t seed, Kind kind) {
  Random random(seed, "dsp48e2");
  const At at = random_attributes(random);
  const int busy = random.chance(50) ? 100 : 80;
  const At with_inverters = random.chance(30) ? inverted(at, random) : at;
  Dsp48e2 slice(with_inverters);
  Dsp48e2Reference reference(at);
  for (int row = 0; row < 24; ++row) {
    const In in = random_row(random, at, kind, busy);
    reference.row(in);
    const auto expected = test::values(reference.outputs());
    const Dsp48e2Outputs out = slice.step(on_pins(in, with_inverters));
    const auto actual = test::values(out);
    for (std::size_t i = 0; i < actual.size(); ++i) {
      if (actual[i].value == expected[i].value && actual[i].unknown == expected[i].unknown && out.report.empty())
        continue;
      PortTable ports;
      Dsp48e2Outputs().visit(ports);
      FAIL(fmt::format("seed {}, kind {}, row {}: {} is {:x} (x {:x}), expected {:x} (x {:x}); OPMODE {:09b} {}", seed,
                       static_cast<int>(kind), row, ports.rows()[i].name, actual[i].value, actual[i].unknown,
                       expected[i].value, expected[i].unknown, in.opmode, out.report));
    }
  }
}

}  // namespace

TEST_CASE("random configurations follow the rules told a second way: sums") {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) compare(seed, Kind::arithmetic);
}

TEST_CASE("random configurations follow the rules told a second way: sums of two") {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) compare(seed, Kind::two_operands);
}

TEST_CASE("random configurations follow the rules told a second way: logic") {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) compare(seed, Kind::logic);
  for (std::uint64_t seed = 0; seed < 2000; ++seed) compare(seed, Kind::three_input_xor);
}

}  // namespace fansim::dsp48e2_random_test

// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "ramb_stimuli.h"

namespace fansim::ramb_ports_test {

// Simple dual-port use, collisions and cascade of the block RAMs.

using namespace primitives;
using test::reading;
using Width = ReadWriteWidth;

namespace {

template <class Ram>
typename Ram::Attributes simple(Width width) {
  typename Ram::Attributes attributes;
  attributes.a.read_width = attributes.b.write_width = width;
  attributes.a.do_reg = attributes.b.do_reg = 0;
  return attributes;
}

Ramb18e2::Attributes both(WriteMode mode_a, WriteMode mode_b, bool common) {
  Ramb18e2::Attributes attributes;
  attributes.a.read_width = attributes.a.write_width = attributes.b.read_width = attributes.b.write_width = Width::w18;
  attributes.a.do_reg = attributes.b.do_reg = 0;
  attributes.a.write_mode = mode_a;
  attributes.b.write_mode = mode_b;
  attributes.common_clock = common;
  attributes.init[0] = {0x1111, 0, 0, 0};
  return attributes;
}

constexpr WriteMode kModes[] = {WriteMode::read_first, WriteMode::write_first, WriteMode::no_change};

Ramb18e2::Inputs collide(std::uint64_t we_a, std::uint64_t we_b) {
  Ramb18e2::Inputs in = reading<Ramb18e2>();
  in.ena = in.enb = true;
  in.wea = we_a;
  in.webwe = we_b;
  in.dina = 0xaaaa;
  in.dinb = 0xbbbb;
  return in;
}

bool is(const Bits& bits, std::uint64_t value) { return bits.unknown == 0 && bits.value == value; }

}  // namespace

TEST_CASE("RAMB36E2 moves 72 bits in simple dual-port use with a write enable per byte") {
  Ramb36e2::Attributes attributes = simple<Ramb36e2>(Width::w72);
  attributes.a.init = 0xf00000001;
  attributes.b.init = 0x300000002;
  Ramb36e2 ram(attributes);
  Ramb36e2::Inputs in = reading<Ramb36e2>();
  in.enb = true;
  in.addrb = 0x7fc0;
  in.webwe = 0xff;
  in.dina = 0x89abcdef;
  in.dinb = 0x01234567;
  in.dinpa = 0x9;
  in.dinpb = 0x6;
  const Ramb36e2::Outputs power_up = ram.step(in);
  CHECK((is(power_up.douta, 1) && is(power_up.doutb, 2) && is(power_up.doutpa, 15) && is(power_up.doutpb, 3)));
  in.webwe = 0x81;
  in.dina = in.dinb = 0xffffffff;
  in.dinpa = in.dinpb = 0;
  ram.step(in);
  in = reading<Ramb36e2>();
  in.ena = true;
  in.addra = 0x7fff;
  const Ramb36e2::Outputs out = ram.step(in);
  CHECK((is(out.douta, 0x89abcdff) && is(out.doutb, 0xff234567)));
  CHECK((is(out.doutpa, 0x8) && is(out.doutpb, 0x6)));
}

TEST_CASE("RAMB18E2 moves 36 bits in simple dual-port use and into a narrower write side too") {
  Ramb18e2::Attributes attributes = simple<Ramb18e2>(Width::w36);
  attributes.b.write_width = Width::w9;
  Ramb18e2 ram(attributes);
  for (std::uint64_t byte = 0; byte < 4; ++byte) {
    Ramb18e2::Inputs in = reading<Ramb18e2>();
    in.enb = true;
    in.webwe = 1;
    in.addrb = byte << 3;
    in.dinb = 0x10 + byte;
    in.dinpb = byte & 1;
    ram.step(in);
  }
  Ramb18e2::Inputs in = reading<Ramb18e2>();
  in.ena = true;
  const Ramb18e2::Outputs out = ram.step(in);
  CHECK((is(out.douta, 0x1110) && is(out.doutb, 0x1312) && is(out.doutpa, 2) && is(out.doutpb, 2)));
}

TEST_CASE("a read of what the other port writes is the old word if that port is READ_FIRST and is lost otherwise") {
  for (const WriteMode mode_a : kModes) {
    for (const WriteMode mode_b : kModes) {
      for (const bool common : {true, false}) {
        CAPTURE(static_cast<int>(mode_a), static_cast<int>(mode_b), common);
        Ramb18e2 ram(both(mode_a, mode_b, common));
        const Ramb18e2::Outputs out = ram.step(collide(3, 0));
        if (mode_a == WriteMode::read_first) {
          CHECK(is(out.doutb, 0x1111));
          CHECK(out.doutb.beyond == (common ? 0 : 0xffff));  // UG573 has it for a common clock only
          CHECK(out.report.empty() == common);
        } else {
          CHECK(out.doutb.unknown == 0xffff);
          CHECK_THAT(out.report, Catch::Contains("one port reads what the other writes"));
        }
        const std::uint64_t own = mode_a == WriteMode::write_first ? 0xaaaa : 0x1111;
        CHECK(is(out.douta, mode_a == WriteMode::no_change ? 0 : own));
        Ramb18e2::Inputs read = reading<Ramb18e2>();
        read.ena = read.enb = true;
        const Ramb18e2::Outputs after = ram.step(read);
        CHECK((is(after.douta, 0xaaaa) && is(after.doutb, 0xaaaa)));
      }
    }
  }
}

TEST_CASE("what port A wrote and both latches are unknown where both ports write until they are written again") {
  for (const bool common : {true, false}) {
    Ramb18e2 ram(both(WriteMode::read_first, WriteMode::write_first, common));
    const Ramb18e2::Outputs out = ram.step(collide(3, 2));
    CHECK_THAT(out.report, Catch::Contains("both ports write"));
    CHECK(out.douta.unknown == 0xffff);
    CHECK(out.doutb.unknown == 0);  // WRITE_FIRST: the word as port B wrote it last
    CHECK((out.doutb.value == 0xbbaa && out.doutb.beyond == 0xffff));
    Ramb18e2::Inputs read = reading<Ramb18e2>();
    read.ena = true;
    Ramb18e2::Outputs after = ram.step(read);
    CHECK(after.douta.unknown == 0xffff);
    CHECK(after.doutpa.unknown == 3);
    ram.step(collide(2, 0));
    after = ram.step(read);
    CHECK((after.douta.value == 0xaa00 && after.douta.unknown == 0xff));
  }
}

TEST_CASE("ports that touch different words or one after the other do not collide") {
  Ramb18e2 ram(both(WriteMode::write_first, WriteMode::write_first, false));
  Ramb18e2::Inputs in = collide(3, 3);
  in.addrb = 0x10;
  const Ramb18e2::Outputs apart = ram.step(in);
  CHECK((is(apart.douta, 0xaaaa) && is(apart.doutb, 0xbbbb) && apart.report.empty()));
  in = collide(3, 0);
  in.clkb = false;
  ram.step(in);
  in = collide(0, 0);
  in.clka = false;
  const Ramb18e2::Outputs later = ram.step(in);
  CHECK((is(later.doutb, 0xaaaa) && later.report.empty()));
}

TEST_CASE("a narrow write loses the whole word to a wide read and another word's write does not") {
  Ramb18e2::Attributes attributes = both(WriteMode::write_first, WriteMode::write_first, true);
  attributes.a.write_width = Width::w4;
  Ramb18e2 ram(attributes);
  Ramb18e2::Inputs in = collide(1, 0);
  in.addra = 8;
  const Ramb18e2::Outputs out = ram.step(in);
  CHECK(out.doutb.unknown == 0xffff);
  CHECK(out.doutpb.unknown == 3);
  CHECK(is(out.douta, 0x1a11));
  in.addra = 24;
  CHECK(is(ram.step(in).doutb, 0x1a11));
}

TEST_CASE("SIM_COLLISION_CHECK decides whether a collision shows") {
  for (const CollisionCheck check :
       {CollisionCheck::all, CollisionCheck::generate_x_only, CollisionCheck::warning_only, CollisionCheck::none}) {
    Ramb18e2::Attributes attributes = both(WriteMode::write_first, WriteMode::write_first, false);
    attributes.collisions = check;
    Ramb18e2 ram(attributes);
    const bool marked = check == CollisionCheck::all || check == CollisionCheck::generate_x_only;
    CHECK((ram.step(collide(3, 0)).doutb.unknown != 0) == marked);
  }
}

TEST_CASE("a cascaded block chooses its own word or that from below at the latch and the register and the input") {
  Ramb18e2::Attributes attributes = both(WriteMode::write_first, WriteMode::write_first, true);
  attributes.a.cascade_order = CascadeOrder::last;
  attributes.b.cascade_order = CascadeOrder::middle;
  Ramb18e2 ram(attributes);
  Ramb18e2::Inputs in = reading<Ramb18e2>();
  in.ena = in.enb = true;
  in.casdina = 0xc0de;
  in.casdinpa = 3;
  in.casdinb = 0xb00c;
  in.casdomuxa = in.casdomuxb = true;
  Ramb18e2::Outputs out = ram.step(in);
  CHECK((is(out.douta, 0xc0de) && is(out.doutpa, 3) && is(out.casdouta, 0)));
  CHECK((is(out.doutb, 0xb00c) && is(out.casdoutb, 0xb00c)));
  in.casdomuxa = in.casdomuxb = false;
  in.casdomuxen_b = false;
  out = ram.step(in);
  CHECK(is(out.douta, 0x1111));
  CHECK(is(out.doutb, 0xb00c));  // the select is registered, and its enable was low
  in.casdimuxa = true;
  in.wea = 3;
  in.enb = false;
  ram.step(in);
  in.wea = 0;
  CHECK(is(ram.step(in).douta, 0xc0de));
}

TEST_CASE("the output register takes the word from below when its multiplexer was told so at the edge before") {
  Ramb18e2::Attributes attributes = both(WriteMode::write_first, WriteMode::write_first, true);
  attributes.a.cascade_order = CascadeOrder::last;
  attributes.a.do_reg = 1;
  Ramb18e2 ram(attributes);
  Ramb18e2::Inputs in = reading<Ramb18e2>();
  in.ena = true;
  in.casdina = 0xc0de;
  in.casoregimuxa = true;
  ram.step(in);
  in.casoregimuxa = false;
  CHECK(is(ram.step(in).douta, 0xc0de));
  CHECK(is(ram.step(in).douta, 0x1111));
  in.casoregimuxa = true;
  in.casoregimuxen_a = false;
  ram.step(in);
  CHECK(is(ram.step(in).douta, 0x1111));
}

TEST_CASE("a block outside a cascade ignores its cascade pins while a first one drives the block above") {
  for (const CascadeOrder order : {CascadeOrder::none, CascadeOrder::first}) {
    Ramb18e2::Attributes attributes = both(WriteMode::write_first, WriteMode::write_first, true);
    attributes.a.cascade_order = order;
    Ramb18e2 ram(attributes);
    Ramb18e2::Inputs in = reading<Ramb18e2>();
    in.ena = true;
    in.casdomuxa = in.casoregimuxa = in.casdimuxa = true;
    in.casdina = 0xffff;
    const Ramb18e2::Outputs out = ram.step(in);
    CHECK(is(out.douta, 0x1111));
    CHECK(is(out.casdouta, order == CascadeOrder::first ? 0x1111 : 0));
  }
}

TEST_CASE("a port that is reset does not collide") {
  Ramb18e2 ram(both(WriteMode::write_first, WriteMode::write_first, true));
  Ramb18e2::Inputs in = collide(3, 0);
  in.rstrama = true;
  const Ramb18e2::Outputs out = ram.step(in);
  CHECK((is(out.douta, 0) && is(out.doutb, 0x1111) && out.report.empty()));
}

TEST_CASE("open ports read what the library puts there: write enables write except WEBWE of RAMB36E2") {
  const Ramb18e2::Inputs small;
  CHECK((small.wea == 3 && small.webwe == 15 && small.addrena && small.regcea && !small.ena));
  const Ramb36e2::Inputs big;
  CHECK((big.wea == 15 && big.webwe == 0 && big.eccpipece));
  Ramb18e2 ram(both(WriteMode::read_first, WriteMode::read_first, true));
  Ramb18e2::Inputs in;
  in.ena = true;
  in.dina = 0x7777;
  in.addra = 0x10;
  ram.step(in);
  in.wea = 0;
  CHECK(is(ram.step(in).douta, 0x7777));
}

TEST_CASE("simple dual-port use at one end is so at the other: port A does not write and port B does not read") {
  Ramb18e2::Attributes attributes = simple<Ramb18e2>(Width::w36);
  attributes.a.write_width = Width::w0;
  attributes.b.write_width = Width::w18;
  attributes.b.init = 0x1234;
  Ramb18e2 ram(attributes);
  Ramb18e2::Inputs in = reading<Ramb18e2>();
  in.ena = in.enb = true;
  in.wea = 3;
  in.webwe = 3;
  in.dina = 0xffff;
  in.dinb = 0x5555;
  in.addrb = 0x20;
  ram.step(in);
  in = reading<Ramb18e2>();
  in.ena = true;
  in.addra = 0x20;
  const Ramb18e2::Outputs out = ram.step(in);
  CHECK((is(out.douta, 0x5555) && is(out.doutb, 0)));
}

}  // namespace fansim::ramb_ports_test

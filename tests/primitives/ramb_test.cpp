// SPDX-License-Identifier: Apache-2.0

#include <catch2/catch.hpp>

#include "base/random.h"
#include "ramb_stimuli.h"
#include "support/user_error.h"

namespace fansim::ramb_test {

using namespace primitives;
using test::reading;
using Width = ReadWriteWidth;

namespace {

// Returns attributes for latch mode, with both ports `width` wide.
template <class Ram>
typename Ram::Attributes latches(Width width, WriteMode mode = WriteMode::write_first) {
  typename Ram::Attributes attributes;
  attributes.a.read_width = attributes.a.write_width = attributes.b.read_width = attributes.b.write_width = width;
  attributes.a.write_mode = attributes.b.write_mode = mode;
  attributes.a.do_reg = attributes.b.do_reg = 0;
  attributes.common_clock = true;
  return attributes;
}

Ramb18e2::Inputs read_a(std::uint64_t address) {
  Ramb18e2::Inputs in = reading<Ramb18e2>();
  in.ena = true;
  in.addra = address;
  return in;
}

Ramb18e2::Inputs write_a(std::uint64_t address, std::uint64_t data, std::uint64_t we = 3, std::uint64_t parity = 0) {
  Ramb18e2::Inputs in = read_a(address);
  in.wea = we;
  in.dina = data;
  in.dinpa = parity;
  return in;
}

constexpr Width kWidths[] = {Width::w1, Width::w2, Width::w4, Width::w9, Width::w18, Width::w36};

// Models the same memory bit by bit.
struct Plain {
  std::vector<int> data = std::vector<int>(32768), parity = std::vector<int>(4096);

  static std::size_t bits(Width width) { return static_cast<std::size_t>(plane_bits(static_cast<int>(width), kData)); }
  std::uint64_t read(Width width, std::uint64_t address) const {
    std::uint64_t value = 0;
    for (std::size_t bit = 0; bit < bits(width); ++bit)
      value |= static_cast<std::uint64_t>(data[address / bits(width) * bits(width) + bit]) << bit;
    return value;
  }
  std::uint64_t read_parity(Width width, std::uint64_t address) const {
    if (static_cast<int>(width) < 9) return 0;
    const std::size_t bytes = bits(width) / 8;
    std::uint64_t value = 0;
    for (std::size_t byte = 0; byte < bytes; ++byte)
      value |= static_cast<std::uint64_t>(parity[address / bits(width) * bytes + byte]) << byte;
    return value;
  }
  void write(Width width, std::uint64_t address, std::uint64_t we, std::uint64_t value, std::uint64_t value_parity) {
    const std::size_t bytes = bits(width) / 8;
    for (std::size_t bit = 0; bit < bits(width); ++bit) {
      if ((we >> (bit / 8) & 1) == 0) continue;
      data[address / bits(width) * bits(width) + bit] = static_cast<int>(value >> bit & 1);
      if (bytes > 0) parity[address / bits(width) * bytes + bit / 8] = static_cast<int>(value_parity >> (bit / 8) & 1);
    }
  }
};

}  // namespace

TEST_CASE("RAMB36E2 in true dual-port use agrees with a plain memory in every pair of widths") {
  const std::uint64_t seed = GENERATE(range(1, 4));
  CAPTURE(seed);
  base::Random random(seed, "ramb");
  const auto draw = [&random] { return static_cast<std::uint64_t>(random.uniform(0, 0x7fffffff)); };
  for (const Width read : kWidths) {
    for (const Width write : kWidths) {
      Ramb36e2::Attributes attributes = latches<Ramb36e2>(read, WriteMode::read_first);
      attributes.a.write_width = attributes.b.write_width = write;
      Ramb36e2 ram(attributes);
      Plain plain;
      for (int row = 0; row < 300; ++row) {
        Ramb36e2::Inputs in = reading<Ramb36e2>();
        in.ena = true;
        in.enb = row % 4 != 0;
        in.addra = draw() % 512;
        in.addrb = 512 + draw() % 512;  // never the same word
        in.wea = draw() & 15;
        in.webwe = draw() & 15;
        in.dina = draw();
        in.dinb = draw();
        in.dinpa = draw() & 15;
        in.dinpb = draw() & 15;
        const std::uint64_t a = plain.read(read, in.addra), pa = plain.read_parity(read, in.addra);
        const std::uint64_t b = plain.read(read, in.addrb), pb = plain.read_parity(read, in.addrb);
        const Ramb36e2::Outputs out = ram.step(in);
        CAPTURE(static_cast<int>(read), static_cast<int>(write), row);
        REQUIRE((out.douta.unknown | out.doutb.unknown) == 0);
        REQUIRE(out.douta.value == a);
        REQUIRE(out.doutpa.value == pa);
        if (in.enb) {
          REQUIRE(out.doutb.value == b);
          REQUIRE(out.doutpb.value == pb);
        }
        const std::uint64_t we_a = static_cast<int>(write) < 9 ? (in.wea & 1) * 15 : in.wea;
        const std::uint64_t we_b = static_cast<int>(write) < 9 ? (in.webwe & 1) * 15 : in.webwe;
        plain.write(write, in.addra, we_a, in.dina, in.dinpa);
        if (in.enb) plain.write(write, in.addrb, we_b, in.dinb, in.dinpb);
      }
    }
  }
}

TEST_CASE("the latch follows the write mode: the new word or the old one or none") {
  for (const WriteMode mode : {WriteMode::write_first, WriteMode::read_first, WriteMode::no_change}) {
    Ramb18e2 ram(latches<Ramb18e2>(Width::w18, mode));
    ram.step(write_a(0x20, 0x1234));
    ram.step(read_a(0x30));
    const Ramb18e2::Outputs out = ram.step(write_a(0x20, 0xabcd, 2, 3));  // the upper byte only
    const std::uint64_t expected = mode == WriteMode::write_first ? 0xab34 : mode == WriteMode::read_first ? 0x1234 : 0;
    CHECK(out.douta.value == expected);
    CHECK(out.doutpa.value == (mode == WriteMode::write_first ? 2 : 0));
    const Ramb18e2::Outputs after = ram.step(read_a(0x20));
    CHECK(after.douta.value == 0xab34);
    CHECK(after.doutpa.value == 2);
  }
}

TEST_CASE("INIT_xx and INITP_xx fill the cells while INIT_A and INIT_B fill the latches and registers at power-up") {
  Ramb18e2::Attributes attributes = latches<Ramb18e2>(Width::w9);
  attributes.init[0] = {0x0807060504030201, 0, 0, 0};
  attributes.init[63] = {0, 0, 0, 0xff00000000000000};
  attributes.init_parity[0] = {2, 0, 0, 0};
  attributes.init_parity[7] = {0, 0, 0, 0x8000000000000000};
  attributes.a.init = 0x1a5;
  attributes.b.init = 0x0c3;
  Ramb18e2 ram(attributes);
  const Ramb18e2::Outputs first = ram.step(reading<Ramb18e2>());
  CHECK((first.douta.value == 0xa5 && first.doutpa.value == 1));
  CHECK((first.doutb.value == 0xc3 && first.doutpb.value == 0));
  const Ramb18e2::Outputs byte = ram.step(read_a(8));
  CHECK((byte.douta.value == 2 && byte.doutpa.value == 1));
  const Ramb18e2::Outputs last = ram.step(read_a(0x3fff));
  CHECK((last.douta.value == 0xff && last.doutpa.value == 1));
}

TEST_CASE("the output register delays by one edge and heeds REGCE and RSTREG by its priority") {
  for (const RegisterPriority priority : {RegisterPriority::rstreg, RegisterPriority::regce}) {
    Ramb18e2::Attributes attributes = latches<Ramb18e2>(Width::w18);
    attributes.a.do_reg = 1;
    attributes.a.srval = 0x2beef;
    attributes.a.rstreg_priority = priority;
    Ramb18e2 ram(attributes);
    CHECK(ram.step(write_a(0, 0x1111)).douta.value == 0);
    CHECK(ram.step(read_a(0)).douta.value == 0x1111);
    Ramb18e2::Inputs in = write_a(0, 0x2222);
    in.regcea = false;
    CHECK(ram.step(in).douta.value == 0x1111);
    Ramb18e2::Inputs idle = reading<Ramb18e2>();
    idle.ena = false;
    CHECK(ram.step(idle).douta.value == 0x2222);  // the register moves without EN
    in = read_a(0);
    in.rstrega = true;
    in.regcea = false;
    const Ramb18e2::Outputs held = ram.step(in);
    CHECK(held.douta.value == (priority == RegisterPriority::rstreg ? 0xbeef : 0x2222));
    in.regcea = true;
    const Ramb18e2::Outputs reset = ram.step(in);
    CHECK((reset.douta.value == 0xbeef && reset.doutpa.value == 2));
  }
}

TEST_CASE("RSTRAM sets the latch to SRVAL while the port is enabled and does not stop a write") {
  Ramb18e2::Attributes attributes = latches<Ramb18e2>(Width::w18);
  attributes.a.srval = 0x15a5a;
  Ramb18e2 ram(attributes);
  Ramb18e2::Inputs in = write_a(0x40, 0x7777);
  in.rstrama = true;
  const Ramb18e2::Outputs out = ram.step(in);
  CHECK((out.douta.value == 0x5a5a && out.doutpa.value == 1));
  CHECK(ram.step(read_a(0x40)).douta.value == 0x7777);
  in.ena = false;
  in.wea = 0;
  CHECK(ram.step(in).douta.value == 0x7777);
}

TEST_CASE("every pin that can be inverted is") {
  Ramb18e2::Attributes attributes = latches<Ramb18e2>(Width::w18);
  attributes.inverted = {0, 0, 1, 1, 1, 1, 1, 1};
  attributes.a.srval = 9;
  attributes.a.do_reg = 1;
  Ramb18e2 ram(attributes);
  Ramb18e2::Inputs in = write_a(0, 5);
  in.ena = false;
  in.rstrama = true;
  in.rstrega = true;
  ram.step(in);
  CHECK(ram.step(in).douta.value == 5);
  in.rstrega = false;
  CHECK(ram.step(in).douta.value == 9);
  in.rstrama = false;
  in.rstrega = true;
  ram.step(in);
  CHECK(ram.step(in).douta.value == 9);

  attributes.inverted = {1, 0, 0, 0, 0, 0, 0, 0};
  attributes.a.do_reg = 0;
  Ramb18e2 falling(attributes);
  CHECK(falling.step(write_a(0, 5)).douta.value == 0);  // the falling edge comes after the sample
  CHECK(falling.step(reading<Ramb18e2>()).douta.value == 5);
}

TEST_CASE("the address is taken only while ADDREN is high if ENADDREN is set with or without EN and a clock") {
  for (const bool enabled : {false, true}) {
    Ramb18e2::Attributes attributes = latches<Ramb18e2>(Width::w18);
    attributes.a.enaddren = enabled;
    attributes.init[0] = {0x0000000200010000, 0, 0, 0};
    Ramb18e2 ram(attributes);
    CHECK(ram.step(read_a(0x10)).douta.value == 1);
    Ramb18e2::Inputs in = read_a(0x20);
    in.addrena = false;
    CHECK(ram.step(in).douta.value == (enabled ? 1 : 2));
    in.ena = in.clka = false;
    in.addrena = true;
    ram.step(in);
    in.ena = in.clka = true;
    in.addrena = false;
    in.addra = 0x10;
    CHECK(ram.step(in).douta.value == (enabled ? 2 : 1));
  }
}

TEST_CASE("with RDADDRCHANGE a repeated read shows what was written meanwhile") {
  Ramb18e2::Attributes attributes = latches<Ramb18e2>(Width::w18);
  attributes.a.rdaddrchange = true;
  Ramb18e2 ram(attributes);
  ram.step(write_a(0, 0x00ff));
  CHECK(ram.step(read_a(0)).douta.value == 0x00ff);
  CHECK(ram.step(read_a(0)).douta.value == 0x00ff);
  Ramb18e2::Inputs other = reading<Ramb18e2>();
  other.enb = true;
  other.webwe = 3;
  other.dinb = 0x01ff;
  ram.step(other);
  CHECK(ram.step(read_a(0)).douta.value == 0x01ff);
}

TEST_CASE("an access during SLEEP or its two clock cycles of wake-up reads x and writes nothing and is reported") {
  Ramb18e2 ram(latches<Ramb18e2>(Width::w18));
  ram.step(write_a(0, 0x1234));
  Ramb18e2::Inputs asleep = reading<Ramb18e2>();
  asleep.sleep = true;
  CHECK(ram.step(asleep).douta.value == 0x1234);
  CHECK(ram.step(reading<Ramb18e2>()).report.empty());
  const Ramb18e2::Outputs early = ram.step(read_a(0));
  CHECK(early.douta.unknown == 0xffff);
  CHECK_THAT(early.report, Catch::Contains("SLEEP"));
  CHECK(ram.step(read_a(0)).douta.value == 0x1234);
  ram.step(asleep);
  ram.step(write_a(0, 0x5555, 1));
  ram.step(reading<Ramb18e2>());
  CHECK(ram.step(read_a(0)).douta.value == 0x1234);
}

TEST_CASE("illegal combinations are refused by name") {
  const auto refused = [](auto&& attributes) {
    using Ram = std::conditional_t<std::is_same_v<std::decay_t<decltype(attributes)>, Ramb36e2::Attributes>, Ramb36e2,
                                   Ramb18e2>;
    return test::message_of([&] { Ram ram(attributes); });
  };
  Ramb36e2::Attributes big;
  big.ecc_read = true;
  big.a.read_width = Width::w36;
  CHECK_THAT(refused(big), Catch::Contains("EN_ECC_READ and EN_ECC_PIPE need READ_WIDTH_A 72"));
  big = {};
  big.ecc_write = true;
  CHECK_THAT(refused(big), Catch::Contains("EN_ECC_WRITE needs WRITE_WIDTH_B 72"));
  big = {};
  big.b.read_width = Width::w72;
  CHECK_THAT(refused(big), Catch::Contains("READ_WIDTH_B 72 is illegal"));
  big = {};
  big.a.write_width = Width::w72;
  CHECK_THAT(refused(big), Catch::Contains("WRITE_WIDTH_A 72 is illegal"));
  big = {};
  big.a.read_width = Width::w72;
  big.b.read_width = Width::w9;
  CHECK_THAT(refused(big), Catch::Contains("READ_WIDTH_B 9 is illegal with READ_WIDTH_A 72"));
  Ramb18e2::Attributes small;
  small.b.write_width = Width::w36;
  small.a.write_width = Width::w18;
  CHECK_THAT(refused(small), Catch::Contains("WRITE_WIDTH_A 18 is illegal with WRITE_WIDTH_B 36"));
  big = {};
  big.a.read_width = Width::w36;
  big.b.read_width = Width::w36;
  CHECK(refused(big).empty());
}

}  // namespace fansim::ramb_test

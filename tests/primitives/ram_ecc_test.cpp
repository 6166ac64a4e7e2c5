// SPDX-License-Identifier: Apache-2.0
#include "primitives/ram_ecc.h"

#include <catch2/catch.hpp>

#include "base/random.h"
#include "ramb_stimuli.h"
#include "support/user_error.h"

// These tests check the error correction of RAMB36E2: the code, and the path of its flags through latch, pipe and
// register.

namespace fansim::ram_ecc_test {

using namespace primitives;
using test::reading;

namespace {

RamWord word(std::uint64_t data, std::uint64_t parity) { return {known(data), known(parity)}; }

Ramb36e2::Attributes corrected(bool pipe = false, int do_reg = 0) {
  Ramb36e2::Attributes attributes;
  attributes.a.read_width = attributes.b.write_width = ReadWriteWidth::w72;
  attributes.a.do_reg = attributes.b.do_reg = do_reg;
  attributes.ecc_read = attributes.ecc_write = true;
  attributes.ecc_pipe = pipe;
  attributes.b.write_mode = WriteMode::read_first;
  attributes.common_clock = true;
  return attributes;
}

Ramb36e2::Inputs write(std::uint64_t address, std::uint64_t data) {
  Ramb36e2::Inputs in = reading<Ramb36e2>();
  in.enb = true;
  in.webwe = 0xff;
  in.addrb = address;
  in.dina = data & ones(32);
  in.dinb = data >> 32;
  return in;
}

Ramb36e2::Inputs read(std::uint64_t address) {
  Ramb36e2::Inputs in = reading<Ramb36e2>();
  in.ena = true;
  in.addra = address;
  return in;
}

std::uint64_t data_of(const Ramb36e2::Outputs& out) { return out.doutb.value << 32 | out.douta.value; }

// Returns the flags as {single, double}.
std::pair<std::uint64_t, std::uint64_t> flags(const Ramb36e2::Outputs& out) {
  return {out.sbiterr.value, out.dbiterr.value};
}
using Flags = std::pair<std::uint64_t, std::uint64_t>;

}  // namespace

TEST_CASE("the code turns back any wrong bit of 72 and finds any two") {
  base::Random random(72, "ecc");
  for (int trial = 0; trial < 20; ++trial) {
    const std::uint64_t data = random.next(), parity = ecc_parity(data);
    EccFlags flags;
    CHECK(ecc_corrected(word(data, parity), flags)[kData].value == data);
    CHECK((flags.single.value == 0 && flags.twofold.value == 0));
    const auto turned = [&](int bit, RamWord from) {
      from[bit < 64 ? kData : kParity].value ^= std::uint64_t{1} << (bit % 64);
      return from;
    };
    for (int one = 0; one < 72; ++one) {
      const RamWord wrong = turned(one, word(data, parity));
      const RamWord back = ecc_corrected(wrong, flags);
      REQUIRE((back[kData].value == data && back[kParity].value == parity));
      REQUIRE((flags.single.value == 1 && flags.twofold.value == 0));
      for (int two = 0; two < one; ++two) {
        const RamWord both = turned(two, wrong);
        REQUIRE(ecc_corrected(both, flags)[kData].value == both[kData].value);
        REQUIRE((flags.single.value == 0 && flags.twofold.value == 1));
      }
    }
  }
}

TEST_CASE("check bits are those of the library's matrix with a column per data bit") {
  CHECK(ecc_parity(0) == 0);
  CHECK(ecc_parity(1) == 0x83);                       // position 3
  CHECK(ecc_parity(2) == 0x85);                       // position 5
  CHECK(ecc_parity(std::uint64_t{1} << 56) == 0xbf);  // position 63
  CHECK(ecc_parity(std::uint64_t{1} << 57) == 0xc1);  // position 65
  CHECK(ecc_parity(std::uint64_t{1} << 63) == 0xc7);  // position 71
  EccFlags flags;
  ecc_corrected({undefined(64), known(0)}, flags);
  CHECK((flags.single.unknown == 1 && flags.twofold.unknown == 1));
}

TEST_CASE("an injected error is written behind the check bits and corrected when it is one and told when it is two") {
  Ramb36e2 ram(corrected());
  const std::uint64_t data = 0x0123456789abcdef;
  Ramb36e2::Inputs in = write(0x40, data);
  CHECK(ram.step(in).eccparity.value == ecc_parity(data));
  in = write(0x80, data);
  in.injectsbiterr = true;
  CHECK(ram.step(in).eccparity.value == ecc_parity(data));
  in = write(0xc0, data);
  in.injectdbiterr = true;
  ram.step(in);
  Ramb36e2::Outputs out = ram.step(read(0x40));
  CHECK((data_of(out) == data && flags(out) == Flags{0, 0} && out.rdaddrecc.value == 1));
  out = ram.step(read(0x80));
  CHECK((data_of(out) == data && flags(out) == Flags{1, 0} && out.rdaddrecc.value == 2));
  CHECK((out.doutpb.value << 4 | out.doutpa.value) == ecc_parity(data));
  out = ram.step(read(0xc0));
  CHECK((data_of(out) == (data ^ (std::uint64_t{1} << 30 | std::uint64_t{1} << 62)) && flags(out) == Flags{0, 1}));
  in = read(0xc0);
  in.rstrama = true;
  CHECK(flags(ram.step(in)) == Flags{0, 0});
}

TEST_CASE("words and flags take an edge each for pipe and register and wait for their enables") {
  for (const bool pipe : {false, true}) {
    for (const int do_reg : {0, 1}) {
      Ramb36e2 ram(corrected(pipe, do_reg));
      Ramb36e2::Inputs in = write(0x40, 77);
      in.injectsbiterr = true;
      ram.step(in);
      int edges = 0;
      Ramb36e2::Outputs out;
      do {
        out = ram.step(read(0x40));
      } while (++edges < 9 && data_of(out) != 77);
      CAPTURE(pipe, do_reg);
      CHECK(edges == 1 + (pipe ? 1 : 0) + do_reg);
      CHECK((flags(out) == Flags{1, 0} && out.rdaddrecc.value == 1));
      in = read(0x80);
      in.eccpipece = false;
      in.regcea = false;
      for (int row = 0; row < 3; ++row) out = ram.step(in);
      CHECK((data_of(out) == (pipe || do_reg == 1 ? 77 : 0)));
      in = read(0x80);
      for (int row = 0; row < 3; ++row) out = ram.step(in);
      CHECK((data_of(out) == 0 && flags(out) == Flags{0, 0}));
    }
  }
}

TEST_CASE("random words go through in any order at one per edge and each error is counted once") {
  base::Random random(36, "ecc");
  Ramb36e2 ram(corrected());
  std::array<std::uint64_t, 512> data{};
  std::array<int, 512> errors{};
  int seen = 0, injected = 0;
  for (int row = 0; row < 4000; ++row) {
    const auto at = static_cast<std::size_t>(random.uniform(0, 511)),
               from = static_cast<std::size_t>(random.uniform(0, 511));
    Ramb36e2::Inputs in = write(at << 6, random.next());
    in.enb = random.chance(70);
    in.ena = true;
    in.addra = from << 6;
    in.injectsbiterr = random.chance(20);
    in.injectdbiterr = random.chance(10);
    const std::uint64_t expected = data[from];
    const int error = errors[from];
    if (in.enb) {
      data[at] = in.dinb << 32 | in.dina;
      errors[at] = in.injectdbiterr ? 2 : in.injectsbiterr ? 1 : 0;
      injected += errors[at] > 0 ? 1 : 0;
    }
    const Ramb36e2::Outputs out = ram.step(in);
    REQUIRE(data_of(out) == (error == 2 ? expected ^ (std::uint64_t{1} << 30 | std::uint64_t{1} << 62) : expected));
    REQUIRE(flags(out) == Flags{error == 1, error == 2});
    seen += error > 0 ? 1 : 0;
  }
  CHECK((seen > 100 && injected > 100));
}

TEST_CASE("flags go up a cascade beside the words") {
  Ramb36e2::Attributes attributes = corrected();
  attributes.a.cascade_order = attributes.b.cascade_order = CascadeOrder::middle;
  Ramb36e2 ram(attributes);
  Ramb36e2::Inputs in = read(0);
  in.casinsbiterr = true;
  in.casdina = 5;
  in.casdinb = 6;
  CHECK(flags(ram.step(in)) == Flags{0, 0});
  in.casdomuxa = true;
  const Ramb36e2::Outputs out = ram.step(in);
  CHECK((flags(out) == Flags{1, 0} && out.casoutsbiterr.value == 1 && out.casoutdbiterr.value == 0));
  CHECK((out.douta.value == 5 && out.doutb.value == 6));
}

}  // namespace fansim::ram_ecc_test

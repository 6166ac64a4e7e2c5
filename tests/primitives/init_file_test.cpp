// SPDX-License-Identifier: Apache-2.0
#include "primitives/init_file.h"

#include <catch2/catch.hpp>

#include "base/file.h"
#include "ramb_stimuli.h"
#include "support/user_error.h"

namespace fansim::init_file_test {

using namespace primitives;
using test::reading;

namespace {

struct File {
  test::ScratchDirectory folder;
  std::string path = folder / "init.mem";
  explicit File(const std::string& text) { base::write_file(path, text); }
};

Ramb18e2::Attributes with(const File& file, ReadWriteWidth a, ReadWriteWidth b) {
  Ramb18e2::Attributes attributes;
  attributes.a.do_reg = attributes.b.do_reg = 0;
  attributes.a.read_width = a;
  attributes.b.read_width = b;
  attributes.init_file = file.path;
  return attributes;
}

Ramb18e2::Outputs at(Ramb18e2& ram, std::uint64_t address) {
  Ramb18e2::Inputs in = reading<Ramb18e2>();
  in.ena = in.enb = true;
  in.addra = in.addrb = address;
  return ram.step(in);
}

std::string refusal(const std::string& text) {
  const File file(text);
  const std::string message =
      test::message_of([&] { Ramb18e2 ram(with(file, ReadWriteWidth::w18, ReadWriteWidth::w9)); });
  return message.rfind(file.path, 0) == 0 ? message.substr(file.path.size()) : message;
}

}  // namespace

TEST_CASE("INIT_FILE has words of the wider read port with parity above data") {
  const File file("// two words\n2beef 0_1234\n");
  Ramb18e2 ram(with(file, ReadWriteWidth::w9, ReadWriteWidth::w18));
  const Ramb18e2::Outputs low = at(ram, 0), high = at(ram, 8), second = at(ram, 16);
  CHECK((low.douta.value == 0xef && low.doutpa.value == 0 && low.doutb.value == 0xbeef && low.doutpb.value == 2));
  CHECK((high.douta.value == 0xbe && high.doutpa.value == 1));
  CHECK((second.doutb.value == 0x1234 && second.doutpb.value == 0));
}

TEST_CASE("what INIT_FILE does not name is unknown and so are its x and z digits") {
  const File file("1 @3 00x0z /* not this: 5 */ @3ff 3ffff");
  Ramb18e2 ram(with(file, ReadWriteWidth::w18, ReadWriteWidth::w0));
  CHECK(at(ram, 0).douta.value == 1);
  CHECK(at(ram, 0).douta.unknown == 0);
  CHECK((at(ram, 16).douta.unknown == 0xffff && at(ram, 16).doutpa.unknown == 3));
  CHECK((at(ram, 48).douta.unknown == 0x0f0f && at(ram, 48).doutpa.unknown == 0));
  CHECK((at(ram, 0x3ff0).douta.value == 0xffff && at(ram, 0x3ff0).doutpa.value == 3));
}

TEST_CASE("INIT_FILE goes before INIT_xx and words of 72 bits have a byte of parity") {
  const File file("a5_0123456789abcdef");
  Ramb36e2::Attributes attributes;
  attributes.a.read_width = ReadWriteWidth::w72;
  attributes.a.do_reg = 0;
  attributes.init_file = file.path;
  attributes.init[0] = {1, 2, 3, 4};
  Ramb36e2 ram(attributes);
  Ramb36e2::Inputs in = reading<Ramb36e2>();
  in.ena = true;
  const Ramb36e2::Outputs out = ram.step(in);
  CHECK((out.douta.value == 0x89abcdef && out.doutb.value == 0x01234567));
  CHECK((out.doutpa.value == 5 && out.doutpb.value == 10));
}

TEST_CASE("words can be written over what INIT_FILE gave") {
  const File file("3ffff");
  Ramb18e2::Attributes attributes = with(file, ReadWriteWidth::w18, ReadWriteWidth::w0);
  attributes.a.write_width = ReadWriteWidth::w18;
  Ramb18e2 ram(attributes);
  Ramb18e2::Inputs in = reading<Ramb18e2>();
  in.ena = true;
  in.wea = 1;
  in.dina = 0x55;
  ram.step(in);
  CHECK((at(ram, 0).douta.value == 0xff55 && at(ram, 0).doutpa.value == 2));
}

TEST_CASE("a bad INIT_FILE is refused with its place") {
  CHECK(refusal("12\n 12g4") == ":2:2: expected a hexadecimal word, found '12g4'");
  CHECK(refusal("40000") == ":1:1: '40000' does not fit 18 bits, the wider READ_WIDTH");
  CHECK(refusal("@400 1") == ":1:6: a word at 0x400, but the block has 1024 of 18 bits");
  CHECK(refusal("@ 1") == ":1:1: expected @ and a hexadecimal address, found '@'");
  CHECK(refusal("1 / 2") == ":1:3: expected a hexadecimal word, found '/'");
  CHECK_THAT(test::message_of([] {
               Ramb18e2::Attributes attributes;
               attributes.init_file = "/nowhere.mem";
               Ramb18e2 ram(attributes);
             }),
             Catch::Contains("/nowhere.mem"));
}

}  // namespace fansim::init_file_test

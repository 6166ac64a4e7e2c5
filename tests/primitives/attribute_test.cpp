// SPDX-License-Identifier: Apache-2.0
#include "primitives/attribute.h"

#include <catch2/catch.hpp>

#include "support/user_error.h"

namespace fansim::attribute_test {

using namespace primitives;

namespace {

enum class Input { direct, cascade };

struct Attributes {
  int areg = 1;
  Input input = Input::direct;
  std::uint64_t mask = 0x3fffffffffff;
  std::uint64_t inverted = 0;
  Word256 init{};
  template <class V>
  void visit(V&& v) {
    v.integer("AREG", areg, 0, 2);
    v.choice("A_INPUT", input, {{Input::direct, "DIRECT"}, {Input::cascade, "CASCADE"}});
    v.bits("MASK", mask, 48);
    v.bits("IS_CLK_INVERTED", inverted, 1);
    v.bits("INIT_00", init, 256);
  }
};

Attributes set(const std::string& setting) {
  Attributes attributes;
  AttributeSetter setter(setting);
  attributes.visit(setter);
  CHECK(setter.found());
  return attributes;
}

std::string refusal(const std::string& setting) {
  return test::message_of([&] { set(setting); });
}

}  // namespace

TEST_CASE("numbers are read as the vendor writes them") {
  CHECK(set("MASK=0xffff_ffff_ffff").mask == 0xffffffffffff);
  CHECK(set("MASK=48'h00000000000A").mask == 10);
  CHECK(set("MASK=48'd281474976710655").mask == 0xffffffffffff);
  CHECK(set("MASK='b1010").mask == 10);
  CHECK(set("MASK=8'o17").mask == 15);
  CHECK(set("MASK=12").mask == 12);
  CHECK(set("IS_CLK_INVERTED=1'b1").inverted == 1);
  CHECK(set("AREG=2").areg == 2);
  CHECK(set("AREG=32'd0").areg == 0);
  const Word256 init = set("INIT_00=256'h8000000000000000000000000000000000000000000000010000000000000002").init;
  CHECK(init == Word256{2, 1, 0, 0x8000000000000000});
}

TEST_CASE("words are read with or without quotation marks") {
  CHECK(set("A_INPUT=CASCADE").input == Input::cascade);
  CHECK(set("A_INPUT=\"CASCADE\"").input == Input::cascade);
}

TEST_CASE("a bad value is refused with its place and the legal values and the nearest word") {
  CHECK(refusal("AREG=3") == "--set AREG=3: AREG 3 out of range; legal: 0..2");
  CHECK(refusal("A_INPUT=CASCADED") ==
        "--set A_INPUT=CASCADED: A_INPUT 'CASCADED' unknown; legal: DIRECT | CASCADE; did you mean 'CASCADE'?");
  CHECK(refusal("MASK=3f") == "--set MASK=3f: expected a number (12, 0xc or 48'hc), found '3f'");
  CHECK(refusal("MASK=0x1000000000000") == "--set MASK=0x1000000000000: '0x1000000000000' does not fit 48 bits");
  CHECK(refusal("MASK=4'h1f") == "--set MASK=4'h1f: '4'h1f' does not fit 4 bits");
  for (const char* text :
       {"MASK=", "MASK=0x", "MASK=48'", "MASK=48'h", "MASK=48'z1", "MASK=x'h1", "MASK=-1", "MASK=8'b2", "MASK=0'h0"})
    CHECK_THAT(refusal(text), Catch::Contains("expected a number"));
  CHECK_THAT(refusal("INIT_00=0x1" + std::string(64, '0')), Catch::Contains("does not fit 256 bits"));
  CHECK_THAT(refusal("MASK"), Catch::Contains("expected ATTRIBUTE=VALUE"));
  CHECK_THAT(refusal("=1"), Catch::Contains("expected ATTRIBUTE=VALUE"));
}

TEST_CASE("the table of attributes shows legal values and defaults") {
  AttributeTable table;
  Attributes().visit(table);
  REQUIRE(table.rows().size() == 5);
  CHECK(table.rows()[0].legal == "0..2");
  CHECK(table.rows()[1].legal == "DIRECT | CASCADE");
  CHECK(table.rows()[1].fallback == "DIRECT");
  CHECK(table.rows()[2].fallback == "48'h3fffffffffff");
  CHECK(table.rows()[3].legal == "1 bit");
}

}  // namespace fansim::attribute_test

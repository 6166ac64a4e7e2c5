// SPDX-License-Identifier: Apache-2.0
#include "primitives/stimulus.h"

#include <catch2/catch.hpp>

#include "support/user_error.h"

namespace fansim::stimulus_test {

using namespace primitives;

namespace {

const Primitive kPrimitive{
    "DEMO", "",     {{"A", 30, 0x3fffffff, false}, {"CE", 1, 1, false}, {"CLK", 1, 0, true}}, {{"P", 48, 0, false}},
    {},     nullptr};

Stimulus parse(const std::string& text) { return parse_stimulus(kPrimitive, text, "s.csv"); }
std::string refusal(const std::string& text) {
  return test::message_of([&] { parse(text); });
}

}  // namespace

TEST_CASE("absent ports read their open value and absent clocks tick") {
  const Stimulus s = parse("CE\n0\n1\n");
  REQUIRE(s.rows.size() == 2);
  CHECK(s.rows[0].inputs == std::vector<std::uint64_t>{0x3fffffff, 0, 1});
  CHECK(s.rows[1].inputs == std::vector<std::uint64_t>{0x3fffffff, 1, 1});
  CHECK(parse("CLK,A\n0,0x2a\n").rows[0].inputs == std::vector<std::uint64_t>{0x2a, 1, 0});
  CHECK(parse("A\n00000000000000003FFFFFFF\n").rows[0].inputs[0] == 0x3fffffff);
  CHECK(parse("A\n").rows.empty());
}

TEST_CASE("a bad stimulus is refused with file and line and column") {
  CHECK(refusal("") == "s.csv: empty: expected a header of port names");
  CHECK(refusal("# only\n") == "s.csv: empty: expected a header of port names");
  CHECK(refusal("A,CLKK\n0,1\n") == "s.csv:1:3: DEMO has no input port 'CLKK'; did you mean 'CLK'?");
  CHECK(refusal("A,P\n0,1\n") == "s.csv:1:3: P is an output of DEMO");
  CHECK(refusal("A,CE,A\n") == "s.csv:1:6: column A stands twice");
  CHECK(refusal("A,\n") == "s.csv:1:3: DEMO has no input port ''");
  CHECK(refusal("A,CE\n1,1\n1\n") == "s.csv:3:1: 1 cells, but the header has 2");
  CHECK(refusal("A,CE\n1,1,0\n") == "s.csv:2:5: 3 cells, but the header has 2");
  CHECK(refusal("A\nxyz\n") == "s.csv:2:1: A: expected a hexadecimal number, found 'xyz'");
  CHECK(refusal("A,CE\n,1\n") == "s.csv:2:1: A: expected a hexadecimal number, found ''");
  CHECK(refusal("A\n-1\n") == "s.csv:2:1: A: expected a hexadecimal number, found '-1'");
  CHECK(refusal("A\n40000000\n") == "s.csv:2:1: A: '40000000' does not fit 30 bits");
  CHECK(refusal("A\n10000000000000000\n") == "s.csv:2:1: A: '10000000000000000' does not fit 30 bits");
  CHECK(refusal("CE\n2\n") == "s.csv:2:1: CE: expected 0 or 1, found '2'");
}

TEST_CASE("in binary every bit stands for itself") {
  CHECK(binary({0xa, 0}, 4) == "1010");
  CHECK(binary({0x8, 0x5}, 5) == "01x0x");
}

TEST_CASE("a digit with an unknown bit prints x") {
  CHECK(hex({0xabc, 0}, 12) == "abc");
  CHECK(hex({0x5, 0}, 30) == "00000005");
  CHECK(hex({0xa0c, 0x010}, 12) == "axc");
  CHECK(hex(undefined(1), 1) == "x");
  CHECK(hex(known(~std::uint64_t{0}), 64) == "ffffffffffffffff");
}

}  // namespace fansim::stimulus_test

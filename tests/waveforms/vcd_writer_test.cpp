// SPDX-License-Identifier: Apache-2.0
#include "waveforms/vcd_writer.h"

#include <catch2/catch.hpp>

namespace fansim::vcd_writer_test {

TEST_CASE("a VCD has scopes and first values and at each time what changed") {
  std::string text;
  waveforms::VcdWriter writer([&](std::string_view part) { text += part; }, "1 ps");
  writer.declare("top.block.valid", 1);
  writer.declare("top.block.count", 4);
  writer.declare("top.state", {"idle", "busy"});
  writer.declare("top.data", 9);
  writer.at(100);
  writer.set(1, 6);
  writer.set(3, "0000000x1");
  writer.at(150);
  writer.set(0, 1);
  writer.set(1, 6);  // as it was
  writer.at(175);    // nothing changes
  writer.at(200);
  writer.set(1, 16);  // more than four bits hold
  writer.set(2, 1);
  writer.set(3, "010000000");
  writer.close();
  CHECK(text ==
        "$date $end\n$version fansim $end\n$timescale 1 ps $end\n"
        "$scope module SystemC $end\n$scope module top $end\n"
        "$var string 1 c state $end\n$var wire 9 d data [8:0] $end\n"
        "$scope module block $end\n$var wire 1 a valid $end\n$var wire 4 b count [3:0] $end\n$upscope $end\n"
        "$upscope $end\n$upscope $end\n$enddefinitions $end\n"
        "#100\n$dumpvars\n0a\nb110 b\nsidle c\nb0x1 d\n$end\n"
        "#150\n1a\n"
        "#200\nbx b\nsbusy c\nb10000000 d\n");
}

TEST_CASE("identifiers of many variables differ") {
  std::string text;
  waveforms::VcdWriter writer([&](std::string_view part) { text += part; }, "1 ns");
  for (int i = 0; i < 30; ++i) writer.declare("v" + std::to_string(i), 1);
  writer.at(0);
  writer.close();
  for (const char* line : {"wire 1 a v0 ", "wire 1 z v25 ", "wire 1 aa v26 ", "wire 1 ba v27 "})
    CHECK_THAT(text, Catch::Contains(line));
}

TEST_CASE("of what was never recorded nothing is written") {
  std::string text;
  waveforms::VcdWriter writer([&](std::string_view part) { text += part; }, "1 ps");
  writer.declare("v", 1);
  writer.close();
  CHECK_FALSE(writer.begun());
  CHECK(text.empty());
}

}  // namespace fansim::vcd_writer_test

// SPDX-License-Identifier: Apache-2.0
#include "waveforms/vcd_writer.h"

#include <catch2/catch.hpp>

namespace fansim::vcd_writer_test {

namespace {

// Writes a file with one variable of words.
std::string written(waveforms::Words words, std::vector<std::string> names = {"idle", "busy"}) {
  std::string text;
  waveforms::VcdWriter writer([&](std::string_view part) { text += part; }, "1 ps", words);
  writer.declare("top.state", names);
  writer.declare("top.valid", 1);
  writer.at(4);
  writer.at(8);
  writer.set(0, names.size() - 1);
  writer.set(1, 1);
  writer.close();
  return text.substr(text.find("$var"));
}

}  // namespace

TEST_CASE("words are numbers beside a comment or strings or both") {
  CHECK(written(waveforms::Words::enums) ==
        "$var wire 8 a state [7:0] $end\n$comment words of top.state: 0=idle 1=busy $end\n$var wire 1 b valid $end\n"
        "$upscope $end\n$upscope $end\n$enddefinitions $end\n#4\n$dumpvars\nb0 a\n0b\n$end\n#8\nb1 a\n1b\n");
  CHECK(written(waveforms::Words::strings) ==
        "$var string 1 a state $end\n$var wire 1 b valid $end\n"
        "$upscope $end\n$upscope $end\n$enddefinitions $end\n#4\n$dumpvars\nsidle a\n0b\n$end\n#8\nsbusy a\n1b\n");
  CHECK(written(waveforms::Words::both) ==
        "$var wire 8 a state [7:0] $end\n$comment words of top.state: 0=idle 1=busy $end\n"
        "$var string 1 b state_word $end\n$var wire 1 c valid $end\n$upscope $end\n$upscope $end\n"
        "$enddefinitions $end\n#4\n$dumpvars\nb0 a\nsidle b\n0c\n$end\n#8\nb1 a\nsbusy b\n1c\n");
}

TEST_CASE("more than 256 words have numbers of two bytes") {
  std::vector<std::string> layers;
  for (int i = 0; i < 257; ++i) layers.push_back("layer" + std::to_string(i));
  const std::string text = written(waveforms::Words::enums, layers);
  CHECK_THAT(text, Catch::StartsWith("$var wire 16 a state [15:0] $end") && Catch::Contains(" 256=layer256 $end") &&
                       Catch::Contains("\nb100000000 a\n"));
}

TEST_CASE("a VCD has scopes and first values and at each time what changed") {
  std::string text;
  waveforms::VcdWriter writer([&](std::string_view part) { text += part; }, "1 ps", waveforms::Words::strings);
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

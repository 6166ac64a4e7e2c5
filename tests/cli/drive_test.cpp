// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "base/file.h"
#include "program.h"

namespace fansim::drive_test {

using test::Outcome;
using test::run_program;

namespace {

struct Drive {
  test::ScratchDirectory folder;
  std::string stimulus = folder / "s.csv";

  Outcome operator()(const std::string& rows, std::vector<std::string> more, const std::string& primitive = "LUT6_2") {
    base::write_file(stimulus, rows);
    std::vector<std::string> arguments{"drive", primitive, stimulus};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments);
  }
};

}  // namespace

TEST_CASE("drive repeats every row and adds the outputs") {
  Drive drive;
  const Outcome outcome = drive("# and of two\nI0,I1\n0,0\n0,1\n1,1\n", {"--set", "INIT=64'h8"}, "lut6_2");
  CHECK(outcome.code == 0);
  CHECK(outcome.out == "I0,I1,O6,O5\n0,0,0,0\n0,1,0,0\n1,1,1,1\n");
  CHECK(outcome.err.empty());
}

TEST_CASE("drive writes the rows and a waveform to files: the same bytes each time") {
  Drive drive;
  const std::string rows = "I0\n1\n0\n";
  const std::vector<std::string> options{
      "--set", "INIT=2", "--out", drive.folder / "o.csv", "--vcd", drive.folder / "w.vcd"};
  const Outcome outcome = drive(rows, options);
  CHECK(outcome.code == 0);
  CHECK(outcome.out.empty());
  CHECK(base::read_file(drive.folder / "o.csv") == "I0,O6,O5\n1,1,1\n0,0,0\n");
  const std::string first = base::read_file(drive.folder / "w.vcd");
  CHECK_THAT(first, Catch::Contains("module LUT6_2") && Catch::Contains("I5") && Catch::Contains("#15"));
  drive(rows, options);
  CHECK(base::read_file(drive.folder / "w.vcd") == first);
}

TEST_CASE("what drive cannot read is refused with its place") {
  Drive drive;
  const auto refused = [&](const std::string& rows, const std::vector<std::string>& more, const std::string& message,
                           const std::string& primitive = "LUT6_2") {
    const Outcome outcome = drive(rows, more, primitive);
    CAPTURE(outcome.err);
    CHECK(outcome.code == 2);
    CHECK(outcome.out.empty());
    CHECK_THAT(outcome.err, Catch::Contains(message));
  };
  refused("I0\n1\n", {}, "drive: primitive 'lut62' unknown; did you mean 'LUT6_2'?", "lut62");
  refused("I0,I6\n1,1\n", {}, drive.stimulus + ":1:4: LUT6_2 has no input port 'I6'; did you mean 'I0'?");
  refused("I0\n1\nx\n", {}, drive.stimulus + ":3:1: I0: expected 0 or 1, found 'x'");
  refused("", {}, drive.stimulus + ": empty");
  refused("I0\n1\n", {"--set", "INTI=1"}, "attribute 'INTI' unknown; did you mean 'INIT'?");
  refused("I0\n1\n", {"--set", "INIT=g"}, "--set INIT=g: expected a number");
  refused("I0\n1\n", {"--out", "/nowhere/o.csv"}, "cannot write");
  refused("I0\n1\n", {"--vcd", "/nowhere/o.vcd"}, "cannot write");
  CHECK(run_program({"drive", "LUT6_2", "/nowhere.csv"}).code == 2);
  CHECK(run_program({"drive", "LUT6_2"}).code == 2);
}

TEST_CASE("primitives are listed and described") {
  CHECK_THAT(run_program({"list", "primitives"}).out, Catch::Contains("LUT6_2"));
  CHECK_THAT(run_program({"describe"}).out, Catch::Contains("primitives: "));
  CHECK_THAT(run_program({"describe", "lut6_2"}).out,
             Catch::Contains("INIT") && Catch::Contains("64'h0000000000000000") && Catch::Contains("O5"));
}

TEST_CASE("a DSP48E2 multiplies three rows later and reports what has the library's value alone") {
  Drive drive;
  const std::string rows =
      "A,B,OPMODE,CEA2,CEB2,CEM,CECTRL,CEP\n"
      "3fffffff,00004,005,1,1,1,1,1\n00000003,00004,005,1,1,1,1,1\n0,0,070,1,1,1,1,1\n0,0,0,1,1,1,1,1\n";
  const Outcome outcome = drive(rows, {}, "DSP48E2");
  CHECK(outcome.code == 0);
  CHECK(outcome.out ==
        "A,B,OPMODE,CEA2,CEB2,CEM,CECTRL,CEP,ACOUT,BCOUT,CARRYCASCOUT,CARRYOUT,MULTSIGNOUT,OVERFLOW,P,PATTERNBDETECT,"
        "PATTERNDETECT,PCOUT,UNDERFLOW,XOROUT\n"
        "3fffffff,00004,005,1,1,1,1,1,3fffffff,00004,0,0,0,x,000000000000,1,1,000000000000,x,00\n"
        "00000003,00004,005,1,1,1,1,1,00000003,00004,1,8,0,x,000000000000,1,1,000000000000,x,00\n"
        "0,0,070,1,1,1,1,1,00000000,00000,0,0,0,x,fffffffffffc,1,1,fffffffffffc,x,00\n"
        "0,0,0,1,1,1,1,1,00000000,00000,0,0,0,x,ffffffffffff,1,1,ffffffffffff,x,00\n");
  CHECK(outcome.err ==
        drive.stimulus +
            ":5:1: OPMODE 001110000, ALUMODE 0000, CARRYINSEL 000, INMODE 00000: Z select 111 is illegal; UG579 "
            "leaves P undefined, its value is that of the vendor's library\n");
}

TEST_CASE("drive marks what the guide leaves undefined and writes outputs bit by bit") {
  Drive drive;
  const std::vector<std::string> lanes{"--set", "USE_SIMD=FOUR12", "--set",  "USE_MULT=NONE", "--set", "MREG=0",
                                       "--set", "OPMODEREG=0",     "--set",  "ALUMODEREG=0",  "--set", "CREG=0",
                                       "--set", "PREG=0",          "--bits", "--guide"};
  const Outcome outcome = drive("C,OPMODE,ALUMODE\nffffffffffff,030,0\n1,030,7\n", lanes, "DSP48E2");
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.out, Catch::Contains("UNDERFLOW,XOROUT,beyond_guide\n"));
  const std::string ones(48, '1'), flags = ",x," + ones + ",1,1," + ones + ",x,00000000,";
  CHECK_THAT(outcome.out,
             Catch::Contains(",0,0000,0" + flags + "MULTSIGNOUT OVERFLOW PATTERNBDETECT PATTERNDETECT UNDERFLOW\n"));
  CHECK_THAT(outcome.out, Catch::Contains(",0,1xxx,0,x,"));
  CHECK_THAT(outcome.out, Catch::Contains(",CARRYCASCOUT CARRYOUT MULTSIGNOUT OVERFLOW PATTERNBDETECT "));
}

TEST_CASE("attributes of a DSP48E2 are set as its instantiation writes them and refused when they clash") {
  Drive drive;
  const std::string rows = "C,OPMODE,CEP\n5,030,1\n";
  const auto with = [&](const std::vector<std::string>& settings) {
    std::vector<std::string> options{"--set", "CREG=0", "--set", "OPMODEREG=0"};
    for (const std::string& setting : settings) options.insert(options.end(), {"--set", setting});
    return drive(rows, options, "dsp48e2");
  };
  CHECK_THAT(with({"USE_PATTERN_DETECT=\"PATDET\"", "MASK=48'h0", "PATTERN=48'h000000000005"}).out,
             Catch::Contains(",000000000005,0,1,000000000005,"));
  CHECK_THAT(with({"AREG=0"}).err, Catch::Contains("DSP48E2: ACASCREG 1 with AREG 0; legal: 0"));
  CHECK_THAT(with({"USE_SIMD=FOUR12"}).err, Catch::Contains("need USE_MULT NONE"));
  CHECK_THAT(with({"USE_SIMD=FOUR13"}).err, Catch::Contains("did you mean 'FOUR12'?"));
  CHECK(with({"AREG=0"}).code == 2);
}

TEST_CASE("the waveform of a DSP48E2 has buses of their width and unknown bits") {
  Drive drive;
  drive("OPMODE,ALUMODE\n030,7\n",
        {"--vcd", drive.folder / "w.vcd", "--set", "USE_SIMD=FOUR12", "--set", "USE_MULT=NONE", "--set", "PREG=0",
         "--set", "ALUMODEREG=0"},
        "DSP48E2");
  CHECK_THAT(base::read_file(drive.folder / "w.vcd"),
             Catch::Contains("P [47:0]") && Catch::Contains("CARRYOUT [3:0]") && Catch::Contains("b1xxx "));
}

TEST_CASE("the stimulus that comes with the program multiplies and accumulates") {
  const Outcome outcome = run_program({"drive", "DSP48E2", std::string(FANSIM_SOURCE_DIR) + "/traces/dsp48e2.csv"});
  CHECK(outcome.code == 0);
  CHECK(outcome.err.empty());
  for (const char* p : {",000000000015,", ",000000000024,", ",00000000000f,"})
    CHECK_THAT(outcome.out, Catch::Contains(p));
}

}  // namespace fansim::drive_test

// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "base/file.h"
#include "program.h"

using namespace fansim;
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

TEST_CASE("drive writes the rows and a waveform to files, the same bytes each time") {
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

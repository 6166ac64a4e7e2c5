// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <sstream>

#include "base/file.h"
#include "cli/recording.h"
#include "program.h"

namespace fansim::drive_ddr_test {

using Catch::Contains;
using test::Outcome;
using test::run_program;

namespace {

struct Drive {
  test::ScratchDirectory folder;
  std::string trace = folder / "t.csv";

  Outcome operator()(const std::string& rows, const std::vector<std::string>& settings = {},
                     const std::vector<std::string>& more = {}) {
    base::write_file(trace, rows);
    // The counts by hand use this part (docs/timing.md); a setting may name another.
    std::vector<std::string> arguments{"drive", "ddr", trace, "--set", "part=ddr4_2133_x8_4gb"};
    for (const std::string& setting : settings) arguments.insert(arguments.end(), {"--set", setting});
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments);
  }
};

std::string sequential(int bytes, int count) {
  std::string rows = "stream,write,address,bytes\n";
  for (int i = 0; i < count; ++i) rows += fmt::format("0,0,{:#x},{}\n", i * bytes, bytes);
  return rows;
}

// Returns the GB/s of the summary's first line.
double useful(const Outcome& outcome) {
  const std::size_t colon = outcome.out.find("outstanding: ");
  REQUIRE(colon != std::string::npos);
  return std::stod(outcome.out.substr(colon + 13));
}

}  // namespace

TEST_CASE("drive ddr adds the times counted by hand and says what the memory did") {
  Drive drive;
  // Clocks of 0.9375 ns. Handed over at 1, picked and activated at 2, READ 17, data 32 to 36. Ends at 36, so the next
  // is handed over at 37: picked and READ at 38, data 53 to 57. The third, of another row of the bank, at 58: picked
  // and precharged at 59, activated 74, READ 89, data 104 to 108.
  const Outcome outcome =
      drive("bytes,address,write,stream\n64,0,0,0\n64,128,0,0\n# another row\n64,0x20000,0,0\n", {"outstanding=1"});
  CHECK(outcome.code == 0);
  CHECK(outcome.err.empty());
  CHECK_THAT(outcome.out, Catch::StartsWith("stream,write,address,bytes,issue_ns,first_ns,last_ns\n"
                                            "0,0,0x0,64,0.9375,30.0000,33.7500\n"
                                            "0,0,0x80,64,34.6875,49.6875,53.4375\n"
                                            "0,0,0x20000,64,54.3750,97.5000,101.2500\n"
                                            "# ddr4_2133_x8_4gb, mapping zcu102_rev_1_1, 1 outstanding: 1.91 GB/s"));
  CHECK_THAT(outcome.out, Contains("# row hits             1  33.3 %"));
}

TEST_CASE("drive ddr writes the rows to a file and the summary alone to standard output: the same bytes each time") {
  Drive drive;
  const std::string out = drive.folder / "o.csv";
  const Outcome outcome = drive(sequential(1024, 400), {}, {"--out", out});
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.first_line(), Contains("4 outstanding: 16.4") && Contains("at the pins of 17.07"));
  CHECK_THAT(outcome.out, Contains("refreshes") && Contains("column accesses    6,400"));
  const std::string first = base::read_file(out);
  CHECK(std::count(first.begin(), first.end(), '\n') == 401);
  CHECK(drive(sequential(1024, 400), {}, {"--out", out}).out == outcome.out);
  CHECK(base::read_file(out) == first);
}

// Two established DRAM simulators, set to the same part, map and queue, agree on these within 4 % (docs/memory.md).
TEST_CASE("one sequential read stream reaches what established simulators find to within 5 %") {
  struct Figure {
    int bytes, outstanding;
    double gb_per_s;
  };
  for (const Figure& f : {Figure{64, 1, 3.1}, Figure{64, 2, 6.2}, Figure{64, 4, 12.4}, Figure{64, 8, 16.3},
                          Figure{256, 1, 7.9}, Figure{256, 2, 15.7}, Figure{256, 4, 16.4}, Figure{1024, 1, 12.8},
                          Figure{1024, 2, 16.4}, Figure{4096, 1, 15.2}, Figure{4096, 8, 16.4}}) {
    Drive drive;
    INFO(f.bytes << " bytes, " << f.outstanding << " outstanding");
    const Outcome outcome =
        drive(sequential(f.bytes, (1 << 19) / f.bytes), {fmt::format("outstanding={}", f.outstanding)});
    CHECK(useful(outcome) == Approx(f.gb_per_s).epsilon(0.05));
  }
}

TEST_CASE("part and map and policy can be set and each matters") {
  Drive drive;
  const std::string rows = sequential(256, 2000);
  const auto with = [&](const std::vector<std::string>& settings) { return useful(drive(rows, settings)); };
  const double board = with({});
  CHECK(board > 16);
  CHECK(with({"mapping=zcu102_rev_1_0"}) < 12);
  CHECK(with({"mapping=row15 bank2 group2 column10 byte3"}) == with({"mapping=zcu102_rev_1_0"}));
  CHECK(with({"part=ddr4_2400_x8"}) > board * 1.1);
  CHECK(with({"part=ddr4_2400_x16", "mapping=group_above_column"}) < board);
  CHECK(with({"page_policy=closed", "outstanding=1"}) < with({"outstanding=1"}) / 2);
  CHECK(with({"page_policy=adaptive"}) > with({"page_policy=closed"}) * 2);
  CHECK(with({"trfc=0"}) > board);
  CHECK(with({"outstanding=1"}) < board / 2);
}

TEST_CASE("streams hand over an access in turns or a whole burst") {
  Drive drive;
  const std::string rows = "stream,write,address,bytes\n0,0,0,256\n1,0,0x40000,256\n";
  CHECK_THAT(drive(rows).out, Contains("\n1,0,0x40000,256,1.8750,"));
  CHECK_THAT(drive(rows, {"handover=burst"}).out, Contains("\n1,0,0x40000,256,4.6875,"));  // at the fifth edge
}

TEST_CASE("a configuration's names for the same keys are taken too") {
  Drive drive;
  const Outcome plain = drive(sequential(64, 8), {"part=ddr4_2400_x8", "trcd=20", "outstanding=2"});
  const Outcome named = drive(sequential(64, 8), {"ddr.part=ddr4_2400_x8", "ddr.part.trcd=20", "axi.outstanding=2"});
  CHECK(plain.code == 0);
  CHECK(named.out == plain.out);
  CHECK(plain.out != drive(sequential(64, 8), {"part=ddr4_2400_x8", "outstanding=2"}).out);
}

TEST_CASE("what drive ddr cannot run is refused with its place") {
  Drive drive;
  const auto refused = [&](const std::string& rows, const std::vector<std::string>& settings,
                           const std::string& message) {
    const Outcome outcome = drive(rows, settings);
    CAPTURE(outcome.err);
    CHECK(outcome.code == 2);
    CHECK(outcome.out.empty());
    CHECK_THAT(outcome.err, Contains(message));
  };
  const std::string header = "stream,write,address,bytes\n";
  const std::string t = drive.trace;
  refused("stream,write,adress,bytes\n", {}, t + ":1:14: column 'adress' unknown; did you mean 'address'?");
  refused("stream,write,address\n0,0,0\n", {}, t + ":1:1: column 'bytes' is missing");
  refused("stream,write,stream,bytes\n", {}, t + ":1:14: column stream stands twice");
  refused(header, {}, t + ": no burst under the header");
  refused("", {}, t + ": empty");
  refused(header + "0,0,0,64\n0,0,0\n", {}, t + ":3:5: 3 cells, but the header has 4");
  refused(header + "0,0,0,64,1\n", {}, t + ":2:10: 5 cells, but the header has 4");
  refused(header + "0,0,0,0\n", {}, t + ":2:7: bytes 0 is out of range; allowed: 1..4294967296");
  refused(header + "0,0,0,-64\n", {}, t + ":2:7: bytes: expected a number such as 4096 or 0x1000, found '-64'");
  refused(header + "0,2,0,64\n", {}, t + ":2:3: write 2 is out of range; allowed: 0..1");
  refused(header + "-1,0,0,64\n", {}, t + ":2:1: stream: expected a number");
  refused(header + "0,0,1f40,64\n", {}, t + ":2:5: address: expected a number such as 4096 or 0x1000, found '1f40'");
  refused(header + "0,0,0x100000000,64\n", {}, t + ":2:5: address 0x100000000 is out of range");
  refused(header + "0,0,0xffffffff,2\n", {},
          t + ":2:16: 2 bytes at 0xffffffff end beyond the 4294967296 bytes of ddr4");
  refused(header + "0,0,99999999999999999999,2\n", {}, t + ":2:5: address: expected a number");
  const std::string one = header + "0,0,0,64\n";
  refused(one, {"outstanding=0"}, "--set outstanding=0: outstanding 0 is out of range; allowed: an integer 1..1024");
  refused(one, {"part=zcu102_ddr4_2134"}, "part 'zcu102_ddr4_2134' unknown; did you mean 'zcu102_ddr4_2133'?");
  refused(one, {"part=/nowhere.yaml"}, "/nowhere.yaml: cannot read");
  refused(one, {"mapping=zcu102_rev_11"}, "mapping");
  refused(one, {"handover=bursts"}, "did you mean 'burst'?");
  refused(one, {"page_policy=opened"}, "did you mean 'open'?");
  refused(one, {"trdc=15"}, "'trdc' unknown; did you mean 'trcd'?");
  refused(one, {"starvation_bound"}, "expected key.path=value");
  CHECK(run_program({"drive", "ddr", "/nowhere.csv"}).code == 2);
  CHECK(run_program({"drive", "ddr"}).code == 2);
  CHECK(drive(one, {}, {"--out", "/nowhere/o.csv"}).code == 2);
  CHECK_THAT(run_program({"drive", "ddr", "--help"}).out, Contains("TRACE.csv") && Contains("outstanding"));
}

TEST_CASE("a waveform shows every stream's bursts when the rows say they were") {
  Drive drive;
  const Outcome outcome = drive("stream,write,address,bytes\n0,0,0x0,256\n3,1,0x40000,64\n0,0,0x100,256\n",
                                {"outstanding=1"}, {"--out", drive.folder / "o.csv", "--vcd", drive.folder / "w.vcd"});
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  const test::Recording recording(base::read_file(drive.folder / "w.vcd"));
  CHECK(recording.changes("ddr.stream0.issue", "1") == 2);
  CHECK(recording.changes("ddr.stream0.state", "read_data") == 2);
  CHECK(recording.changes("ddr.stream3.state", "write_data") == 1);
  CHECK(recording.changes("ddr.stream3.bytes[31:0]", "1000000") == 1);
  // The waveform is in picoseconds, the rows in nanoseconds.
  std::istringstream rows(base::read_file(drive.folder / "o.csv"));
  std::vector<std::int64_t> first;
  for (std::string row; std::getline(rows, row);)
    if (row.rfind("0,", 0) == 0)
      first.push_back(static_cast<std::int64_t>(1000 * std::stod(row.substr(row.rfind(',', row.rfind(',') - 1) + 1))));
  const std::vector<std::int64_t> shown = recording.times("ddr.stream0.state", "read_data");
  REQUIRE(shown.size() == first.size());
  for (std::size_t i = 0; i < first.size(); ++i) CHECK(std::abs(shown[i] - first[i]) <= 1);
  CHECK(recording.times("ddr.stream0.issue", "0").front() == 0);
  CHECK(recording.times("ddr.stream0.issue", "1").front() == 937);  // the memory's first edge, at 0.9375 ns
}

TEST_CASE("the words of a memory's waveform are numbers or strings as asked") {
  Drive drive;
  const auto vcd = [&](const std::vector<std::string>& options) {
    std::vector<std::string> arguments{"--out", drive.folder / "o.csv", "--vcd", drive.folder / "w.vcd"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    REQUIRE(drive("stream,write,address,bytes\n0,0,0,64\n", {}, arguments).code == 0);
    return base::read_file(drive.folder / "w.vcd");
  };
  const std::string comment = "$comment words of ddr.stream0.state: 0=idle 1=wait 2=read_data 3=write_data $end";
  CHECK_THAT(vcd({}), Contains(comment) && !Contains("$var string"));
  CHECK_THAT(vcd({"--vcd-words", "strings"}), !Contains("$comment") && Contains("$var string"));
  CHECK_THAT(vcd({"--vcd-words", "both"}), Contains(comment) && Contains("$var string"));
  const Outcome outcome = drive("stream,write,address,bytes\n0,0,0,64\n", {}, {"--vcd-words", "both"});
  CHECK(outcome.code == 2);
  CHECK_THAT(outcome.err, Contains("--vcd-words needs --vcd"));
}

}  // namespace fansim::drive_ddr_test

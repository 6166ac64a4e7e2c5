// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "base/csv.h"
#include "base/file.h"
#include "program.h"

namespace fansim::drive_ports_test {

using Catch::Contains;
using test::Outcome;
using test::run_program;

namespace {

const std::string kHeader = "case,port,write,burst_bytes,stride_bytes,base,window_bytes\n";

struct Ports {
  test::ScratchDirectory folder;

  Outcome operator()(const std::string& rows, const std::vector<std::string>& more = {}) {
    const std::string traffic = folder / "t.csv";
    base::write_file(traffic, kHeader + rows);
    std::vector<std::string> arguments{"drive", "ports", traffic};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments);
  }
};

}  // namespace

TEST_CASE("drive ports repeats the rows and adds what was measured") {
  Ports ports;
  const std::string out = ports.folder / "o.csv";
  const Outcome outcome =
      ports("b,3,1,256,256,0x10000000,0x8000000\na,HP0,0,256,256,0x48000000,0x8000000\n", {"--out", out});
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.out, Contains("zcu102_ports, 300 MHz, mapping preset: 2 cases, 2 of them settled"));
  CHECK_THAT(outcome.out, Contains("steady from cycle"));
  const std::vector<base::CsvRow> rows = base::parse_csv(base::read_file(out), out);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].back().text == "in_flight");
  CHECK(rows[0][7].text == "MB_per_s");
  CHECK(rows[0][8].text == "latency_cycles");
  CHECK(rows[1][0].text == "b");
  CHECK(rows[2][5].text == "0x48000000");
  CHECK(std::stod(rows[1][7].text) > 4700);  // the port's 16 bytes at 300 MHz are 4800
  CHECK(std::stod(rows[2][7].text) > 4600);
  CHECK(std::stod(rows[2][7].text) < 4800);
}

TEST_CASE("drive ports takes the ports' clock and the memory's mapping") {
  Ports ports;
  const std::string row = "a,0,0,256,256,0x48000000,0x8000000\n";
  const Outcome slow = ports(row, {"--set", "clock_mhz=100"});
  CHECK(slow.code == 0);
  CHECK_THAT(slow.out, Contains("a,0,0,256,256,0x48000000,0x8000000,1600.00,"));
  CHECK_THAT(ports(row, {"--set", "mapping=bank_row_column"}).err, Contains("mapping bank_row_column"));
  const Outcome unknown = ports(row, {"--set", "mapping=bank_row_colum"});
  CHECK(unknown.code == 2);
  CHECK_THAT(unknown.err, Contains("did you mean 'bank_row_column'?"));
  CHECK(ports(row, {"--set", "clock_mhz=100000"}).code == 2);
  CHECK(ports(row, {"--set", "port.read_isue=4"}).code == 2);
}

TEST_CASE("drive ports runs a port of an Alveo whose throughput is what is in flight over its latency") {
  Ports ports;
  const std::string board = std::string(FANSIM_SOURCE_DIR) + "/configs/boards/alveo_u200.yaml";
  const Outcome four = ports("a,DDR0,0,256,256,0,16777216\n", {"--config", board, "--set", "generator.outstanding=4"});
  CHECK(four.code == 0);
  CHECK_THAT(four.out, Contains(",4.000\n"));
}

TEST_CASE("drive ports refuses bad traffic with its line") {
  Ports ports;
  const auto refused = [&](const std::string& rows, const std::string& text) {
    const Outcome outcome = ports(rows);
    CHECK(outcome.code == 2);
    CHECK(outcome.out.empty());
    CHECK_THAT(outcome.err, Contains(text));
  };
  refused("a,7,0,64,64,0,4096\n", "t.csv:2:3: port '7' unknown");
  refused("a,0,0,64,64,0,4096\na,0,0,64,64,4096,4096\n", "t.csv:3:3: port 0 reads in line 2 already");
  refused("a,0,0,64,64,0,4096\na,1,0,64,64,0,4096\n", "t.csv:3:13: base 0: its window overlaps that of line 2");
  refused("a,0,0,8192,8192,0,65536\n", "t.csv:2:7: burst_bytes 8192 is 512 beats");
  refused("a,0,0,64,32,0,4096\n", "t.csv:2:10: stride_bytes 32 is below");
  refused("a,0,0,64,64,0x100000000,4096\n", "t.csv:2:");
}

TEST_CASE("drive's kinds are named where one is mistyped") {
  CHECK_THAT(run_program({"drive", "port", "t.csv"}).err, Contains("did you mean 'ports'?"));
  CHECK_THAT(run_program({"describe", "drive-ports"}).out, Contains("port.read_issue"));
}

}  // namespace fansim::drive_ports_test

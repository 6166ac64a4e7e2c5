// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "base/file.h"
#include "program.h"

namespace fansim::drive_dma_test {

using test::Outcome;
using test::run_program;

namespace {

struct DriveDma {
  test::ScratchDirectory folder;
  std::string stimulus = folder / "s.csv";

  Outcome operator()(const std::string& rows, std::vector<std::string> more = {}) {
    base::write_file(stimulus, rows);
    std::vector<std::string> arguments{"drive", "dma", stimulus};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments);
  }
};

const std::vector<std::string> kDirect{"--set", "dma.mode=direct"};

}  // namespace

TEST_CASE("drive dma lists accesses with bursts and packets and interrupts by cycle: the same bytes each time") {
  DriveDma drive;
  const std::string rows =
      "op,address,value\nwrite,0x00,0x1001\nwrite,0x18,256\nwrite,0x28,64\nwait_mm2s,,\nread,0x04,\n";
  const Outcome outcome = drive(rows, kDirect);
  CHECK(outcome.code == 0);
  CHECK(outcome.out ==
        "cycle,event,address,value\n2,write,0x0,0x1001\n4,write,0x18,0x100\n6,write,0x28,0x40\n"
        "14,mm2s_arvalid,0x100,0x10\n20,mm2s_tvalid,0x0,0x0\n35,mm2s_tlast,0x0,0x40\n36,mm2s_introut,0x0,0x1\n"
        "38,read,0x4,0x1002\n");
  CHECK_THAT(outcome.err, Catch::Contains("bench.dma.mm2s"));
  CHECK(drive(rows, kDirect).out == outcome.out);
}

TEST_CASE("drive dma writes its events to a file and then the summary to standard output") {
  DriveDma drive;
  const std::string out = drive.folder / "o.csv";
  const Outcome outcome = drive("op,value,cycle\npacket,64,\n", {"--out", out});
  CHECK(outcome.code == 2);
  CHECK_THAT(outcome.err, Catch::Contains(":2:1: the stimulus ends with a packet that S2MM has not been told to take"));
  CHECK_THAT(base::read_file(out), Catch::Contains("s2mm_tvalid"));
  const Outcome quiet = drive("op,address\nread,4\n", {"--out", out});
  CHECK(quiet.code == 0);
  CHECK_THAT(quiet.out, Catch::Contains("bench.dma.registers") && Catch::Contains("accesses"));
}

TEST_CASE("a wait for an interrupt that is not enabled is the stimulus's error at its line") {
  DriveDma drive;
  const std::string transfer = "op,address,value\nwrite,0x00,1\nwrite,0x18,256\nwrite,0x28,64\n";
  const Outcome outcome = drive(transfer + "wait_mm2s,,\n", kDirect);
  CHECK(outcome.code == 2);
  CHECK_THAT(outcome.err, Catch::Contains(drive.stimulus + ":5:1: mm2s_introut stays low: the DMA is idle"));
  CHECK_THAT(outcome.out, Catch::Contains("mm2s_tlast"));  // the events up to there
  CHECK(drive("op,address,value\nwait_s2mm,,\n").code == 2);
  // If the memory never answers, that is no fault of the stimulus.
  const Outcome stuck = drive("op,address,value\nwrite,0x00,0x1001\nwrite,0x18,0x6000\nwrite,0x28,64\nwait_mm2s,,\n",
                              {"--set", "dma.mode=direct", "--set", "memory.stuck_page=6"});
  CHECK(stuck.code == 4);
  CHECK_THAT(stuck.err, Catch::Contains("nothing moved for 100000 cycles"));
}

TEST_CASE("what drive dma cannot read is refused with its place") {
  DriveDma drive;
  const auto refused = [&](const std::string& rows, const std::string& message, std::vector<std::string> more = {}) {
    const Outcome outcome = drive(rows, more);
    CAPTURE(outcome.err);
    CHECK(outcome.code == 2);
    CHECK(outcome.out.empty());
    CHECK_THAT(outcome.err, Catch::Contains(message));
  };
  refused("", drive.stimulus + ": empty");
  refused("address\n4\n", drive.stimulus + ":1:1: no column 'op'");
  refused("op,adress\nread,4\n", ":1:4: column 'adress' unknown; did you mean 'address'?");
  refused("op,address\nraed,4\n", ":2:1: op 'raed' unknown; did you mean 'read'?");
  refused("op,address\nread,four\n", ":2:6: address: expected a number, found 'four'");
  refused("op,address\nread,6\n", ":2:6: address: not a multiple of 4");
  refused("op,address\nread,0x1000\n", ":2:6: address: 0x1000 is out of range; allowed: 0..0x3ff");
  refused("op,address\npeek,0x100000\n", "allowed: 0..0xffffc");
  refused("op,address\nwrite,4\n", ":2:1: write needs a value: 32-bit value");
  refused("op,address,value\nread,4,5\n", ":2:8: read takes no value");
  refused("op,value\npacket,0\n", ":2:8: value: a packet has bytes");
  refused("op,address\nread\n", ":2:1: 1 cells, but the header has 2");
  refused("op,address\nread,4\n", "--set dma.mdoe=direct: dma: key 'mdoe' unknown; did you mean 'mode'?",
          {"--set", "dma.mdoe=direct"});
  refused("op,address\nread,4\n", "data_bits 96 is not a port width", {"--set", "axi.data_bits=96"});
  refused("op,address\nread,4\n", "cannot write", {"--out", "/nowhere/o.csv"});
}

TEST_CASE("describe drive-dma explains steps and columns and parameters") {
  const Outcome outcome = run_program({"describe", "drive-dma"});
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.out, Catch::Contains("wait_s2mm") && Catch::Contains("memory.stuck_page") &&
                              Catch::Contains("dma.s2mm_gap") && Catch::Contains("cycle"));
}

}  // namespace fansim::drive_dma_test

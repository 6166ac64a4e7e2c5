// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "base/file.h"
#include "program.h"

namespace fansim::drive_ram_test {

using test::Outcome;
using test::run_program;

namespace {

Outcome drive(const std::string& primitive, const std::string& rows, const std::vector<std::string>& settings) {
  const test::ScratchDirectory folder;
  const std::string stimulus = folder / "s.csv";
  base::write_file(stimulus, rows);
  std::vector<std::string> arguments{"drive", primitive, stimulus};
  for (const std::string& setting : settings) arguments.insert(arguments.end(), {"--set", setting});
  return run_program(arguments);
}

}  // namespace

TEST_CASE("drive CFGLUT5: the table's bits leave at CDO while new ones enter") {
  const Outcome outcome = drive("CFGLUT5", "CDI,CE,I4,I0\n0,0,0,0\n1,1,0,0\n0,1,0,1\n", {"INIT=32'hc0000001"});
  CHECK(outcome.code == 0);
  CHECK(outcome.out == "CDI,CE,I4,I0,CDO,O5,O6\n0,0,0,0,1,1,1\n1,1,0,0,1,1,1\n0,1,0,1,0,1,1\n");
}

TEST_CASE("drive SRLC32E: the clock's column gates its edges") {
  const Outcome outcome = drive("srlc32e", "CLK,A,D\n1,0,1\n0,0,0\n1,1,0\n1,1f,0\n", {"INIT=32'h20000000"});
  CHECK(outcome.out == "CLK,A,D,Q,Q31\n1,0,1,1,0\n0,0,0,1,0\n1,1,0,1,1\n1,1f,0,0,0\n");
}

TEST_CASE("drive CARRY8: two chains of four") {
  const Outcome outcome = drive("CARRY8", "S,DI,CI_TOP\nff,0,1\n0f,f0,0\n", {"CARRY_TYPE=DUAL_CY4"});
  CHECK(outcome.out == "S,DI,CI_TOP,CO,O\nff,0,1,f0,0f\n0f,f0,0,f0,ef\n");
}

TEST_CASE("drive RAMB18E2: write and read back and collide") {
  const std::string rows =
      "CLKBWRCLK,ENARDEN,ADDRARDADDR,WEA,DINADIN,ENBWREN,ADDRBWRADDR\n"
      "1,1,10,3,beef,0,0\n"
      "1,1,10,0,0,1,10\n"
      "0,1,10,1,1234,1,10\n"
      "1,1,10,1,5678,1,10\n";
  const Outcome outcome = drive("RAMB18E2", rows,
                                {"READ_WIDTH_A=18", "WRITE_WIDTH_A=18", "READ_WIDTH_B=18", "DOA_REG=0", "DOB_REG=0",
                                 "WRITE_MODE_A=WRITE_FIRST", "CLOCK_DOMAINS=COMMON"});
  CHECK(outcome.code == 0);
  CHECK(outcome.out ==
        "CLKBWRCLK,ENARDEN,ADDRARDADDR,WEA,DINADIN,ENBWREN,ADDRBWRADDR,CASDOUTA,CASDOUTB,CASDOUTPA,CASDOUTPB,"
        "DOUTADOUT,DOUTBDOUT,DOUTPADOUTP,DOUTPBDOUTP\n"
        "1,1,10,3,beef,0,0,0000,0000,0,0,beef,0000,0,0\n"
        "1,1,10,0,0,1,10,0000,0000,0,0,beef,beef,0,0\n"
        "0,1,10,1,1234,1,10,0000,0000,0,0,be34,beef,0,0\n"
        "1,1,10,1,5678,1,10,0000,0000,0,0,be78,xxxx,0,x\n");
  CHECK_THAT(outcome.err, Catch::Contains("s.csv:5:1: one port reads what the other writes"));
}

TEST_CASE("drive RAMB36E2: 72 bits through both buses and contents from INIT_00") {
  const Outcome outcome =
      drive("RAMB36E2", "ENARDEN,ADDRARDADDR\n1,0\n1,40\n",
            {"READ_WIDTH_A=72", "WRITE_WIDTH_B=72", "DOA_REG=0",
             "INIT_00=256'h00000000000000000000000000000000_1122334455667788_99aabbccddeeff00", "INITP_00=16'h5aa5"});
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.out, Catch::Contains("\n1,0,") && Catch::Contains("ddeeff00,99aabbcc,5,a,") &&
                              Catch::Contains("55667788,11223344,a,5,"));
}

TEST_CASE("illegal attributes of the block RAMs are refused") {
  const auto refused = [](const std::string& primitive, const std::string& setting, const std::string& message) {
    const Outcome outcome = drive(primitive, "ENARDEN\n1\n", {setting});
    CAPTURE(outcome.err);
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.err, Catch::Contains(message));
  };
  refused("RAMB36E2", "EN_ECC_WRITE=TRUE", "EN_ECC_WRITE needs WRITE_WIDTH_B 72");
  refused("RAMB18E2", "READ_WIDTH_A=72", "READ_WIDTH_A '72' unknown; legal: 0 | 1 | 2 | 4 | 9 | 18 | 36");
  refused("RAMB18E2", "READ_WIDTH_B=36", "READ_WIDTH_B 36 is illegal");
  refused("RAMB18E2", "INIT_40=0", "attribute 'INIT_40' unknown; did you mean 'INIT_");
  refused("RAMB18E2", "WRITE_MODE_A=WRITEFIRST", "did you mean 'WRITE_FIRST'?");
  refused("RAMB36E2", "INIT_FILE=a.mem", "a.mem");
}

}  // namespace fansim::drive_ram_test

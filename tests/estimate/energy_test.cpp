// SPDX-License-Identifier: Apache-2.0
#include "estimate/energy.h"

#include <catch2/catch.hpp>

namespace fansim::energy_test {

namespace {

// A memory of four devices of 16 bits.
contract::DdrConfig four_devices() {
  contract::DdrConfig ddr;
  ddr.part.data_bits = 64;
  ddr.part.group_bits = 1;
  ddr.part.row_bits = 16;
  REQUIRE(ddr.part.mapping.set("row16 bank2 column7 group1 column3 byte3", ddr.part).empty());
  return ddr;
}

void check(const estimate::Spread& spread, double low, double typical, double high) {
  CHECK(spread.low == Approx(low));
  CHECK(spread.typical == Approx(typical));
  CHECK(spread.high == Approx(high));
}

const estimate::Power kPower{0.334, 2.6, 0.5, 0.2, 0.1, 0.1};

}  // namespace

// The figures are docs/estimate.md's, worked out there by hand.
TEST_CASE("the energy of a frame is every count times what each takes by low and typical and high figures") {
  estimate::FrameUse frame;
  frame.seconds = 0.1;
  frame.macs = 1e9;
  frame.ddr_bytes = 2e6;
  frame.register_bytes = 1e9;
  frame.buffer_bytes = 3e8;
  const estimate::Energy energy = estimate::energy(frame, kPower, four_devices());
  REQUIRE(energy.levels.size() == 4);
  check(energy.levels[0].mj(), 0.3, 3, 4.2);
  check(energy.levels[1].mj(), 0.16, 0.25, 1.5);
  check(energy.levels[2].mj(), 0.2, 0.375, 3.75);
  check(energy.levels[3].mj(), 0.07425, 0.325, 0.65);
  check(energy.ddr_standby_mj, 4 * 5.19, 4 * 8.07, 4 * 9.89);
  check(energy.ddr_mj(), 0.07425 + 20.76, 0.325 + 32.28, 0.65 + 39.56);
}

TEST_CASE("power times time has the processing system apart and no memory") {
  estimate::FrameUse frame;
  frame.seconds = 0.1;
  frame.ddr_bytes = 2e6;
  const estimate::Energy energy = estimate::energy(frame, kPower, four_devices());
  CHECK(energy.processing_system_mj == Approx(260));
  CHECK(energy.static_mj == Approx(33.4));
  CHECK(energy.blocks_mj == Approx(90));
  CHECK(energy.chip_mj() == Approx(383.4));
  check(energy.whole_mj(), 383.4 + energy.ddr_mj().low, 383.4 + energy.ddr_mj().typical, 383.4 + energy.ddr_mj().high);
  CHECK(energy.levels.size() == 2);  // levels that the machine does not count are left out
}

TEST_CASE("devices follow from the width of the rank and their groups of banks") {
  contract::DdrConfig ddr = four_devices();
  CHECK(estimate::memory_devices(ddr) == 4);
  ddr.part.group_bits = 2;
  CHECK(estimate::memory_devices(ddr) == 8);
  CHECK(estimate::memory_devices({}) == 0);
  CHECK(estimate::energy({}, kPower, {}).ddr_standby_mj.high == 0);
}

}  // namespace fansim::energy_test

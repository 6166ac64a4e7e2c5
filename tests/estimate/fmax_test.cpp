// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <vector>

#include "estimate/estimate.h"

namespace fansim::fmax_test {

using estimate::Path;
using estimate::Terminal;

namespace {

contract::Device device() {
  contract::Device d;
  d.lut = 100000;
  d.lutram = 50000;
  d.ff = 200000;
  d.bram36 = 100;
  d.dsp = 100;
  d.uram = 10;
  d.dsp_fmax_mhz = 775;
  d.bram_fmax_mhz = 738;
  d.uram_fmax_mhz = 600;
  d.clock_fmax_mhz = 760;
  return d;
}

estimate::Fmax fmax(const contract::Device& d, const Path& path, const contract::Resources& use = {}) {
  return estimate::fmax(d, {{"block", use, {path}}}, use);
}

}  // namespace

TEST_CASE("a primitive that is used limits the clock where no path is slower") {
  const contract::Device d = device();
  CHECK(estimate::fmax(d, {}, {}).limit == "clock tree");
  CHECK(estimate::fmax(d, {}, {1, 0, 0, 0}).hz == 760e6);
  CHECK(estimate::fmax(d, {}, {1, 0, 0, 0.5}).limit == "block RAM");
  CHECK(estimate::fmax(d, {}, {1, 0, 0, 0.5, 0, 1}).hz == 600e6);
  CHECK(estimate::fmax(d, {}, {1, 0, 0, 0.5, 0, 1}).limit == "UltraRAM");
  CHECK(estimate::fmax(d, {}, {1, 0, 0, 0.5, 0, 1}).uncertainty() == 0);
  contract::Device slow = d;
  slow.dsp_fmax_mhz = 90;
  CHECK(estimate::fmax(slow, {}, {1, 0, 0, 0}).limit == "DSP48E2");
  slow.family = contract::Family::zynq_7000;
  CHECK(estimate::fmax(slow, {}, {1, 0, 0, 0}).limit == "DSP48E1");
}

TEST_CASE("a path takes longer for every LUT and carry chain and product and CLB on its way") {
  const contract::Device d = device();
  const Path path{"path", 5};
  const double ns = fmax(d, path).ns();
  CHECK(fmax(d, path).block == "block");
  CHECK(fmax(d, {"path", 6}).ns() > ns);
  CHECK(fmax(d, path.add(8)).ns() > ns);
  CHECK(fmax(d, path.add(48)).ns() > fmax(d, path.add(8)).ns());
  CHECK(fmax(d, path.multiply(1)).ns() == Approx(ns + 1e3 / 544));
  CHECK(fmax(d, path.across(100)).ns() > ns);
  CHECK(fmax(d, path.across(400)).ns() - ns == Approx(2 * (fmax(d, path.across(100)).ns() - ns)));
  CHECK(fmax(d, path.between(Terminal::bram, Terminal::bram)).ns() > ns);
  CHECK(fmax(d, path.between(Terminal::dsp, Terminal::dsp)).ns() > ns);
}

TEST_CASE("a fuller device and a slower one make every path longer") {
  contract::Device d = device();
  const Path path{"path", 5};
  const double ns = fmax(d, path).ns();
  CHECK(fmax(d, path, {0, 50000, 0, 0}).ns() > ns);
  CHECK(fmax(d, path, {0, 90000, 0, 0}).ns() > fmax(d, path, {0, 50000, 0, 0}).ns());
  CHECK(fmax(d, path, {0, 0, 0, 90}).ns() == Approx(fmax(d, path, {0, 90000, 0, 0}).ns()));
  d.bram_fmax_mhz = 645;
  CHECK(fmax(d, path).ns() == Approx(ns * 738 / 645));
}

TEST_CASE("a design that needs more than one die pays for the way between them where a net reaches a whole block") {
  contract::Device d = device();
  const Path path{"path", 5};
  const contract::Resources third{0, 33000, 0, 0}, half{0, 50000, 0, 0};
  const double whole = fmax(d, path.across(100), half).ns(), less = fmax(d, path.across(100), third).ns();
  d.slrs = 3;
  CHECK(fmax(d, path.across(100), third).ns() == less);
  CHECK(fmax(d, path.across(100), half).ns() > whole);
  CHECK(fmax(d, path, half).ns() == fmax(device(), path, half).ns());
}

}  // namespace fansim::fmax_test

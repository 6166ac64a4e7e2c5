// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <string>

#include "base/file.h"
#include "contract/config_file.h"
#include "support/user_error.h"

namespace fansim::device_test {

using test::message_of;

namespace {

const std::string kDevices = std::string(FANSIM_SOURCE_DIR) + "/configs/devices";

std::string refusal(const std::string& more) {
  const test::ScratchDirectory folder;
  const std::string file = folder / "d.yaml";
  base::write_file(file,
                   "version: 1\nname: d\nlut: 10\nff: 20\nbram36: 3\ndsp: 4\ndsp_fmax_mhz: 500\n"
                   "bram_fmax_mhz: 400\n" +
                       more + "\n");
  return message_of([&] { contract::load_device(file); }).substr(file.size());
}

}  // namespace

TEST_CASE("every device file loads and says its family and its RAM and its limits") {
  const std::vector<std::string> names = contract::devices_in(kDevices);
  CHECK(names.size() >= 11);
  for (const std::string& name : names) {
    CAPTURE(name);
    const std::string file = kDevices + "/" + name + ".yaml";
    const contract::Device d = contract::load_device(file);
    CHECK(d.name == name);
    CHECK(d.ff == 2 * d.lut);
    CHECK(d.lutram > d.lut / 5);
    CHECK(d.lutram < d.lut);
    CHECK((d.uram > 0) == (d.uram_fmax_mhz > 0));
    CHECK(d.clock_fmax_mhz > 0);
    CHECK((d.core_volts == 1) == (d.family == contract::Family::zynq_7000));
    CHECK(base::read_file(file).find("family:") != std::string::npos);
  }
}

TEST_CASE("the family says the DSP slice and whether there is a processing system") {
  const contract::Device zynq = contract::load_device(kDevices + "/xc7z020.yaml");
  CHECK(zynq.dsp_slice() == contract::DspSlice::dsp48e1);
  CHECK(zynq.dsp_operand_bits() == 25);
  CHECK(zynq.has_processing_system());
  const contract::Device virtex = contract::load_device(kDevices + "/vu9p.yaml");
  CHECK(virtex.dsp_slice() == contract::DspSlice::dsp48e2);
  CHECK(virtex.slrs == 3);
  CHECK_FALSE(virtex.has_processing_system());
}

TEST_CASE("a device file that leaves out the newer keys is an UltraScale+ part in -2 whose every LUT may be memory") {
  const test::ScratchDirectory folder;
  base::write_file(folder / "d.yaml",
                   "{version: 1, name: d, lut: 10, ff: 20, bram36: 3, dsp: 4, dsp_fmax_mhz: 500, bram_fmax_mhz: 400}");
  const contract::Device d = contract::load_device(folder / "d.yaml");
  CHECK(d.family == contract::Family::zynq_ultrascale_plus);
  CHECK(d.speed_grade == "-2");
  CHECK(d.lutram == 10);
  CHECK(d.uram == 0);
}

TEST_CASE("what is wrong with a device file is told with its line and the nearest word") {
  CHECK_THAT(refusal("family: zynq_ultrascale"),
             Catch::StartsWith(":9:9: ") && Catch::Contains("did you mean 'zynq_ultrascale_plus'?"));
  CHECK_THAT(refusal("lutrm: 5"), Catch::StartsWith(":9:1: ") && Catch::Contains("did you mean 'lutram'?"));
  CHECK_THAT(refusal("lutram: 11"), Catch::StartsWith(":9:9: ") && Catch::Contains("0..10"));
  CHECK_THAT(refusal("uram: 4"), Catch::Contains("uram_fmax_mhz"));
}

}  // namespace fansim::device_test

// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/config/config.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "base/file.h"
#include "support/user_error.h"

namespace fansim::config_test {

using test::message_of;

namespace {

const std::string kSystems = std::string(FANSIM_SOURCE_DIR) + "/configs/systems/";

stream::Config load(const std::string& name, const std::vector<std::string>& overrides = {}) {
  return stream::Config::read(kSystems + name + ".yaml", overrides);
}

std::string refusal(const std::vector<std::string>& overrides) {
  return message_of([&] { load("zcu102_stream", overrides); });
}

}  // namespace

TEST_CASE("the thesis's configuration holds the thesis's parameters") {
  const stream::Config config = load("zcu102_stream");
  CHECK(config.name == "zcu102_stream");
  CHECK(config.device.name == "zcu102");
  CHECK(config.device.bram36 == 912);
  CHECK(config.clock_hz() == 250e6);
  CHECK(config.array.macs_per_cycle() == 576);
  CHECK(config.quantiser.accumulator_bits == 20);
  CHECK(config.quantiser.rounding == arith::Rounding::truncate);
  CHECK(config.axi.data_bits == 128);
  CHECK(config.schedule.loop_order == stream::LoopOrder::thesis);
  CHECK(config.ddr.refresh_cycles == 70);
}

TEST_CASE("an override replaces a value even inside a part kept in another file") {
  CHECK(load("zcu102_stream", {"array.input_channels=4"}).array.input_channels == 4);
  CHECK(load("zcu102_stream", {"ddr.read_latency=99"}).ddr.read_latency == 99);
  CHECK(load("zcu102_stream", {"clock_mhz=1000/3"}).clock_mhz == base::Rational{1000, 3});
  CHECK(load("zcu102_stream", {"device=kv260"}).device.bram36 == 144);
  CHECK(load("zcu102_stream", {"device=../devices/kv260.yaml"}).device.name == "kv260");
}

TEST_CASE("the hash names what is computed on: it follows every effective value and nothing else") {
  const std::string hash = load("zcu102_stream").hash;
  CHECK(hash.size() == 16);
  CHECK(load("zcu102_stream", {"axi.outstanding=4"}).hash == hash);
  CHECK(load("zcu102_stream", {"name=other"}).hash == hash);
  CHECK(load("zcu102_stream", {"axi.outstanding=8"}).hash != hash);
  CHECK(load("zcu102_stream", {"clock_mhz=200"}).hash != hash);
  CHECK(load("zcu102_stream", {"device=kv260"}).hash != hash);
  CHECK(load("zcu102_stream_least_traffic", {"schedule.loop_order=thesis"}).hash == hash);
  CHECK(load("zcu102_stream", {"ddr.part.cl=16"}).hash == hash);  // a key of banked memory only
  const std::string banked = load("zcu102_stream", {"ddr.fidelity=banked"}).hash;
  CHECK(load("zcu102_stream", {"ddr.fidelity=banked", "ddr.part.mapping=zcu102_rev_1_0"}).hash != banked);
  CHECK(load("zcu102_stream", {"ddr.fidelity=banked", "ddr.part.clock_mhz=1000"}).hash != banked);
  CHECK(load("zcu102_stream", {"ddr.fidelity=banked", "ddr.part.cl=16"}).hash != banked);
}

TEST_CASE("the streaming core refuses sums that only the tiled accelerator has") {
  for (const std::string key : {"accumulator_bits", "operand_bits"}) {
    CHECK_THAT(refusal({"quantiser." + key + "=33"}),
               Catch::EndsWith(key + " 33: the streaming core's sums have at most 32 bits"));
  }
}

TEST_CASE("keys and words that do not exist are refused with the nearest one that does") {
  CHECK(refusal({"array.rws=3"}) == "--set array.rws=3: array: key 'rws' unknown; did you mean 'rows'?");
  CHECK(refusal({"bufers.input_kib=3"}) == "--set bufers.input_kib=3: key 'bufers' unknown; did you mean 'buffers'?");
  CHECK(refusal({"schedule.loop_order=thesys"}) ==
        "--set schedule.loop_order=thesys: schedule: loop_order 'thesys' unknown; did you mean 'thesis'?");
  CHECK_THAT(refusal({"device=zcu103"}),
             Catch::Contains("device 'zcu103' unknown") && Catch::Contains("did you mean 'zcu102'?"));
  CHECK_THAT(refusal({"device=../none.yaml"}), Catch::Contains("does not exist"));
}

TEST_CASE("values out of range and values that contradict each other are refused") {
  CHECK(refusal({"array.rows=13"}) == "--set array.rows=13: array: rows 13 is out of range; allowed: an integer 1..12");
  CHECK_THAT(refusal({"array.rows=7", "array.cols=7"}), Catch::Contains("7 x 7 = 49 taps; allowed: 36 at most"));
  CHECK_THAT(refusal({"array.output_channels=12"}), Catch::Contains("must be a multiple of input_channels 8"));
  CHECK_THAT(refusal({"array.input_channels=3"}), Catch::Contains("must be a power of two"));
  CHECK_THAT(refusal({"array.input_channels=1", "array.output_channels=3"}), Catch::Contains("must be even"));
  CHECK_THAT(refusal({"array.multiplier=lut", "array.shadow_luts=false"}),
             Catch::Contains("only 'multiplier: lut_rec"));
  CHECK_THAT(refusal({"axi.data_bits=96"}), Catch::Contains("allowed: 32, 64 or 128"));
  CHECK_THAT(refusal({"ddr.refresh_cycles=2000"}), Catch::Contains("must be below refresh_interval 1950"));
  CHECK_THAT(refusal({"ddr.fidelity=banked", "ddr.write_latency=9"}),
             Catch::Contains("write_latency 9 must not be below request_latency 10"));
  CHECK_THAT(refusal({"ddr={fidelity: banked}"}), Catch::Contains("ddr: fidelity: banked needs a part"));
  CHECK_THAT(refusal({"ddr.part.trcdd=15"}), Catch::Contains("part: key 'trcdd' unknown; did you mean 'trcd'"));
  CHECK_THAT(refusal({"ddr.part=ddr4_3200_x8.yaml"}), Catch::Contains("ddr4_3200_x8.yaml"));
  CHECK_THAT(refusal({"buffers.weight_kib=2", "array.input_channels=16", "array.output_channels=16"}),
             Catch::Contains("weight_kib 2 is too small"));
  CHECK(refusal({"clock_mhz=900"}) == "--set clock_mhz=900: clock_mhz 900 is out of range; allowed: 1..891");
  CHECK_THAT(refusal({"clock_mhz=1/2"}), Catch::Contains("out of range"));
  CHECK_THAT(refusal({"version=2"}), Catch::Contains("version 2 is out of range"));
}

TEST_CASE("a configuration of another system is refused") {
  CHECK(refusal({"system=tiled"}) == "--set system=tiled: system 'tiled': expected 'stream'");
}

TEST_CASE("a block may stand in the file or be named by a relative path and its errors name their own file") {
  test::ScratchDirectory folder;
  std::filesystem::create_directory(folder / "systems");
  std::filesystem::create_directory(folder / "devices");
  base::write_file(
      folder / "devices/small.yaml",
      "{version: 1, name: small, lut: 10, ff: 20, bram36: 3, dsp: 4, dsp_fmax_mhz: 500, bram_fmax_mhz: 400}");
  base::write_file(folder / "systems/a.yaml",
                   "{version: 1, name: a, system: stream, device: small, clock_mhz: 100, array: array.yaml}");
  base::write_file(folder / "systems/array.yaml", "rows: 2\ncols: 4\n");
  const stream::Config config = stream::Config::read(folder / "systems/a.yaml", {});
  CHECK(config.device.dsp == 4);
  CHECK(config.array.rows == 2);
  CHECK(config.array.input_channels == 8);

  base::write_file(folder / "systems/array.yaml", "rows: 2\ncols: four\n");
  CHECK(message_of([&] { stream::Config::read(folder / "systems/a.yaml", {}); }) ==
        folder / "systems/array.yaml" + ":2:7: array: cols: expected an integer 1..12, found text 'four'");
}

}  // namespace fansim::config_test

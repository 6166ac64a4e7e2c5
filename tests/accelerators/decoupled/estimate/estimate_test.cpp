// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>

#include "accelerators/decoupled/estimate/estimate.h"

namespace fansim::estimate_test {

using namespace decoupled;

namespace {

Config with(const std::vector<std::string>& settings) {
  return Config::read(FANSIM_SOURCE_DIR "/configs/systems/tiny_decoupled.yaml", settings);
}

contract::Resources of(const std::string& block, const Config& config) {
  const std::vector<estimate::BlockUse> blocks = block_uses(config);
  const auto one = std::find_if(blocks.begin(), blocks.end(), [&](auto& use) { return use.name == block; });
  REQUIRE(one != blocks.end());
  return one->use;
}

}  // namespace

TEST_CASE(
    "an integer product takes a slice and a float's product and sum take five and slices take turns in an interval") {
  const std::vector<std::string> base{"array.tm=24", "array.tn=8", "schedule.block=8"};
  const auto slices = [&](const std::string& more) {
    std::vector<std::string> settings = base;
    settings.push_back(more);
    return of("array", with(settings)).dsp;
  };
  CHECK(slices("data.type=int8") == 192);
  CHECK(slices("data.type=int16") == 192);
  CHECK(slices("data.type=float32") == 960);
  CHECK(slices("array.interval=5") == 39);
  CHECK(slices("array.window=3") == 1728);
}

TEST_CASE("a buffer is as many block RAMs as what is read at once and its size ask for") {
  // The buffer reads 32 bits at once of 64 KiB, 16K words: three columns of nine bits take four block RAMs each, one of
  // four bits takes two, and the last bit half a block RAM.
  CHECK(of("input_buffer", with({"buffers.input_kib=64"})).bram36 == 3 * 4 + 2 + 0.5);
  // The buffer has 4 KiB and reads 8 x 4 values of 8 bits: 128 words of 256 bits in halves with 36 bits.
  CHECK(of("weight_buffer", with({})).bram36 == 4);
}

TEST_CASE("what post-processing looks up is paid for: parameters of 4096 channels and functions of every lane") {
  const std::vector<std::string> eight{"post.lanes=8", "array.tm=8", "array.tn=8", "schedule.block=8"};
  const auto settings = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = eight;
    all.insert(all.end(), more.begin(), more.end());
    return with(all);
  };
  // 8 records of 64 bits at once of 32 KiB: 512 words of 512 bits, 72 of them in a block RAM.
  CHECK(of("parameter_buffer", settings({"schedule.parameters=layer"})).bram36 == 7.5);
  const std::vector<estimate::BlockUse> blocks = block_uses(settings({"schedule.parameters=command"}));
  CHECK(std::none_of(blocks.begin(), blocks.end(), [](auto& use) { return use.name == "parameter_buffer"; }));
  // 256 entries of 8 bits are 32 LUTs, their choice and an address 15.
  CHECK(of("functions", settings({"data.type=int8"})).lut == 8 * 47);
  CHECK(of("functions", settings({"data.type=int16"})).dsp == 8);
  CHECK(of("functions", settings({"data.type=float32"})).dsp == 24);
}

TEST_CASE("a second load unit and every port cost") {
  const auto all = [](const std::vector<std::string>& settings) { return cost_of(with(settings)).total.lut; };
  CHECK(all({"load.order=parallel"}) > all({}));
  CHECK(all({"load.ports=2"}) > all({}));
  CHECK(all({"store.ports=2"}) > all({}));
}

}  // namespace fansim::estimate_test

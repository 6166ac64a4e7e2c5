// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/estimate/estimate.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "accelerators/tiled/estimate/banks.h"
#include "accelerators/tiled/estimate/macs.h"

namespace fansim::estimate_test {

using tiled::BankedStore;
using tiled::BramMode;

namespace {

constexpr double kDorefa8 = 89;  // LUTs per MAC, FAQ-CNN 4.3

tiled::Config load(const std::string& name, const std::vector<std::string>& overrides = {}) {
  return tiled::Config::read(std::string(FANSIM_SOURCE_DIR) + "/configs/systems/faq_zcu102_" + name + ".yaml",
                             overrides);
}

contract::Resources use(const tiled::Config& config, const std::string& block) {
  for (const estimate::BlockUse& b : block_uses(config))
    if (b.name == block) return b.use;
  FAIL("no block " << block);
  return {};
}

double lut_percent(const std::string& name) {
  const tiled::Config config = load(name);
  return 100.0 * cost_of(config).total.lut / config.device.lut;
}
double dsp_percent(const std::string& name) {
  const tiled::Config config = load(name);
  return 100.0 * cost_of(config).total.dsp / config.device.dsp;
}

}  // namespace

TEST_CASE("a store takes banks times widths times depths and twice that when double-buffered") {
  CHECK(BankedStore{BramMode::sp, 96, 8, 256, 2}.bram36() == 96);
  CHECK(BankedStore{BramMode::tdp, 128, 32, 1024, 2}.bram36() == 256);
  CHECK(BankedStore{BramMode::tdp, 96, 32, 3025, 1}.bram36() == 96 * 3);  // three of 1K x 18, side by side twice
  CHECK(BankedStore{BramMode::sp, 1, 8, 12883, 1}.bram36() == 3.5);       // seven of 2K x 9
  CHECK(BankedStore{BramMode::sp, 4, 8, 0, 2}.bram36() == 0);
}

TEST_CASE("only a simple dual port is 36 bits wide") {
  CHECK(BankedStore{BramMode::sdp, 1, 36, 512, 1}.bram36() == 0.5);
  CHECK(BankedStore{BramMode::sp, 1, 36, 512, 1}.bram36() == 1);
  CHECK(BankedStore{BramMode::tdp, 1, 36, 512, 1}.bram36() == 1);
}

TEST_CASE("a map's columns are banks: four for 32-bit words of bytes while words of narrower values stay whole") {
  const auto banks = [](int bits, int beat_bits, bool encoded) {
    const BankedStore s = tiled::columns_of(tiled::graded(bits, 32, beat_bits, encoded), 1000);
    return std::vector<int>{s.banks, s.bits, s.words};
  };
  CHECK(banks(8, 32, true) == std::vector<int>{4, 8, 250});
  CHECK(banks(16, 32, true) == std::vector<int>{2, 16, 500});
  CHECK(banks(8, 128, true) == std::vector<int>{16, 8, 63});
  CHECK(banks(1, 32, true) == std::vector<int>{1, 32, 32});
  CHECK(banks(2, 32, false) == std::vector<int>{4, 8, 250});
}

TEST_CASE("distributed RAM takes a LUT per 64 bits and multiplexers beyond a CLB") {
  CHECK(tiled::lut_ram(256, 64).lut == 256);
  CHECK(tiled::lut_ram(256, 512).lut == 256 * 8);
  // 2,400 words are 38 LUTs deep, five CLBs: two more LUTs choose.
  CHECK(tiled::lut_ram(256, 2400).lut == 256 * (38 + 2));
  CHECK(tiled::lut_ram(256, 2400).lutram == 256 * 38);
}

TEST_CASE("MACs are divided by output or by input channel") {
  const auto split = [](tiled::MacPlace place) {
    const tiled::MacSplit s = tiled::mac_split({128, 24, place, 20});
    return std::vector<int>{s.dsp, s.lut};
  };
  CHECK(split(tiled::MacPlace::dsp) == std::vector<int>{3072, 0});
  CHECK(split(tiled::MacPlace::lut) == std::vector<int>{0, 3072});
  CHECK(split(tiled::MacPlace::by_output) == std::vector<int>{480, 2592});
  CHECK(split(tiled::MacPlace::by_input) == std::vector<int>{2560, 512});
}

TEST_CASE("slices add pairs of products and LUTs the rest as counted by hand") {
  // 12 pairs of 17 bits take 6 sums of 18 bits, 3 of 19, 1 of 20 and 1 of 21.
  constexpr int kTree = 6 * 18 + 3 * 19 + 20 + 21;
  const contract::Resources use = tiled::macs({128, 24, tiled::MacPlace::by_output, 99}, {}, kDorefa8);
  CHECK(use.dsp == 99 * 24);
  CHECK(use.lut == 99 * kTree + 29 * 24 * 89);
  // 10 pairs take 5 sums of 18 bits, 2 of 19, 1 of 20 and 1 of 21; one adder of 21 bits adds the part in LUTs.
  const contract::Resources by_input = tiled::macs({128, 24, tiled::MacPlace::by_input, 20}, {}, kDorefa8);
  CHECK(by_input.lut == 128 * (5 * 18 + 2 * 19 + 20 + 21 + 21) + 4 * 128 * 89);
}

TEST_CASE("what a MAC in LUTs costs is the quantisation method's word") {
  CHECK(tiled::luts_per_mac({"dorefa", 8, 8, tiled::MacGrain::coarse}) == kDorefa8);
  CHECK(tiled::luts_per_mac({"bnn", 1, 1, tiled::MacGrain::fine}) == 6);
  CHECK(tiled::luts_per_mac({"bnn", 1, 8, tiled::MacGrain::coarse}) > 6);
}

TEST_CASE("a slice makes a product of 8 x 8 bits as of 16 x 16") {
  const contract::Resources bits8 = tiled::macs({64, 16}, {}, 0);
  const contract::Resources bits16 = tiled::macs({64, 16}, {"dorefa", 16, 16}, 0);
  CHECK(bits8.dsp == bits16.dsp);
  CHECK(bits16.lut > bits8.lut);
}

TEST_CASE("the two cells that were fitted come out: LUTs of the joint build and DSP slices of the LUT build") {
  CHECK(lut_percent("dorefa8") == Approx(82.36).margin(0.01));
  CHECK(dsp_percent("dorefa8_lut") == Approx(4.52).margin(0.01));
}

TEST_CASE("the cells that were not fitted are met: DSP slices within 1 % and LUTs within 5 %") {
  CHECK(dsp_percent("dorefa8") == Approx(99.17).epsilon(0.01));
  CHECK(lut_percent("dorefa8_dsp") == Approx(39.98).epsilon(0.05));
  CHECK(lut_percent("bnn") == Approx(66.40).epsilon(0.05));
}

TEST_CASE("the convolution takes 95 % of the slices and of the LUTs a tenth less than the paper's about 60 %") {
  const tiled::Config config = load("dorefa8");
  const contract::Resources conv = tiled::engine_use(block_uses(config), "conv");
  CHECK(100.0 * conv.lut / config.device.lut == Approx(53.2).margin(0.1));
  CHECK(100.0 * conv.dsp / config.device.dsp == Approx(95).epsilon(0.01));
}

TEST_CASE("post-processing pays a line memory as wide as all lanes for each pooling window open above one another") {
  const auto blocks = [](const std::vector<std::string>& overrides) {
    return use(load("dorefa8", overrides), "post_process").bram36;
  };
  CHECK(blocks({}) == 2 * 5.5);  // 32 lanes of 12 bits: a sum of nine bytes
  CHECK(blocks({"store.pool_lines=3"}) == 3 * 5.5);
  CHECK(blocks({"store.pool_kernel=16"}) == 2 * 7.5);  // 16 bits
  CHECK(blocks({"store.lanes=64"}) == 2 * 11);
}

// 1,152 words of 8 bytes, written by beats of 4, and 512 words of 8 sums of 32 bits; a 4:1 choice takes a LUT per bit,
// the walker's 128 bits 192. The multiplexer has two registers.
TEST_CASE("vectors in registers take flip-flops and multiplexers in the place of block RAM") {
  const tiled::Config config = load("dorefa8", {"fc.vectors=registers"});
  const contract::Resources inputs = use(config, "fc_input_store"), sums = use(config, "fc_sums_store");
  CHECK(inputs.ff == 1154 * 64 + 128);
  CHECK(inputs.lut == 64 * 288 + 2304 + 192);
  CHECK(sums.ff == 514 * 256);
  CHECK(sums.lut == 256 * 128 + 512);
  CHECK((inputs.bram36 == 0 && sums.bram36 == 0));
  CHECK((use(load("dorefa8"), "fc_input_store").bram36 > 0 && use(load("dorefa8"), "fc_sums_store").bram36 > 0));
  CHECK(use(config, "conv_input_store").bram36 == use(load("dorefa8"), "conv_input_store").bram36);
}

TEST_CASE("weights that are written beat by beat leave the parity bits of block RAM unused") {
  const auto blocks = [](const std::vector<std::string>& overrides) {
    return use(load("dorefa8", overrides), "fc_weight_level1").bram36;
  };
  CHECK(blocks({}) == 2 * 32 / 2.0);                        // 512 bits, 16 a block RAM
  CHECK(blocks({"load.weight_bits=512"}) == 2 * 29 / 2.0);  // one beat: 18 a block RAM
}

TEST_CASE("a second weight buffer in LUTs doubles the first while one in block RAM takes none") {
  const auto level1 = [](const std::vector<std::string>& overrides) {
    return use(load("dorefa8", overrides), "conv_weight_level1");
  };
  CHECK(level1({}).lut == 2 * level1({"weights.double_buffer=false"}).lut + 256);
  CHECK(level1({}).bram36 == 0);
  CHECK(level1({"weights.level1=bram"}).bram36 == 2 * 22.5);  // 15 of 18 bits by 3 of 1,024 words
  CHECK(level1({"weights.level1=bram"}).lut < 100);
}

TEST_CASE("sums in floating point cost an adder of single precision per output channel") {
  const tiled::Config coarse = load("dorefa8"), fine = load("dorefa8", {"quantisation.grain=fine"});
  const int more = use(fine, "conv_engine").lut - use(coarse, "conv_engine").lut;
  CHECK(more == 128 * (284 - 32));
  CHECK(use(fine, "post_process").dsp == 32 * 3);
}

TEST_CASE("engines that are left out take nothing while a second load port takes another interconnect") {
  const auto blocks = block_uses(load("dorefa8", {"fc.tm=0", "fc.tn=0"}));
  CHECK(tiled::engine_use(blocks, "fc").lut == 0);
  CHECK(tiled::engine_use(block_uses(load("dorefa8")), "fc").lut > 0);
  CHECK(use(load("dorefa8", {"load.order=parallel"}), "memory_path").lut > use(load("dorefa8"), "memory_path").lut);
}

TEST_CASE("no FC engine of more factors has a smaller weight store than the slack says") {
  for (const int kib : {8, 64, 500}) {
    tiled::Config config = load("dorefa8");
    config.weights.fc_kib = kib;
    double least = 1e9, slack = 0;
    for (int macs = 1024; macs >= 1; --macs) {
      CAPTURE(kib, macs);
      config.fc.tm = macs;
      config.fc.tn = 1;
      const double bram = use(config, "fc_weight_level1").bram36;
      least = std::min(least, bram);
      CHECK(bram - fc_store_slack(config) <= least);
      slack = std::max(slack, fc_store_slack(config));
    }
    CHECK((slack > 0) == (kib > 8));  // what the search's bound would have missed
  }
}

TEST_CASE("the tiled total is the sum of its blocks and its power follows from it") {
  const tiled::Config config = load("dorefa8");
  const estimate::Estimate e = cost_of(config);
  contract::Resources sum;
  for (const estimate::BlockUse& block : e.blocks) sum += block.use;
  CHECK(e.total.lut == sum.lut);
  CHECK(e.total.bram36 == sum.bram36);
  CHECK(e.power.dsp_w == Approx(estimate::power(200e6, config.device, sum).dsp_w));
  CHECK(e.fmax.hz > 200e6);
}

TEST_CASE("factors that do not fit the device are told with what they lack") {
  const estimate::Estimate e = cost_of(load("dorefa8_dsp", {"conv.tn=24"}));
  REQUIRE_FALSE(e.fit.fits);
  CHECK(e.fit.reasons == std::vector<std::string>{"DSP 3538 of 2520"});
  const estimate::Estimate lut = cost_of(load("dorefa8_lut", {"conv.tm=128"}));
  REQUIRE_FALSE(lut.fit.fits);
  CHECK(lut.fit.reasons.front().rfind("LUT ", 0) == 0);
}

TEST_CASE("every FAQ-CNN configuration fits the ZCU102") {
  for (const char* name : {"dorefa8", "dorefa8_dsp", "dorefa8_lut", "dorefa16", "dorefa2", "bnn", "tnn", "pot", "vecq",
                           "mul2q", "kmeans"}) {
    CAPTURE(name);
    const estimate::Estimate e = cost_of(load(name));
    CHECK(e.fit.reasons.empty());
    CHECK(e.fmax.hz > 200e6);
  }
}

}  // namespace fansim::estimate_test

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>

#include "platform/machine.h"
#include "rules/array_buckets.h"

namespace fansim::tiled_machine_test {

namespace {

using Settings = std::vector<std::string>;

tiled::Config lenet_config(const Settings& settings) { return test::shipped_tiled("faq_zcu102_dorefa8", settings); }

test::MachineRun check(const Settings& settings, const std::string& model = "lenet5") {
  const auto run = test::run_machine(test::shipped_model(model), lenet_config(settings));
  CHECK(run.disagreement == "");
  CHECK(run.unaccounted() == "");
  return run;
}

// Is a method that nobody registered: codes are odd multiples of a quarter of the largest weight's power of two.
class OddQuarters final : public arith::QuantisationMethod {
  class Codec final : public arith::WeightCodec {
   public:
    explicit Codec(float step) : WeightCodec(2), step_(step) {}
    unsigned project(float value) const override {
      return static_cast<unsigned>(std::clamp(static_cast<int>(std::floor(value / step_ / 2)), -2, 1) & 3);
    }
    float inverse(unsigned code) const override { return static_cast<float>(integer(code)) * step_; }
    int integer(unsigned code) const override { return 2 * (static_cast<int>(code ^ 2) - 2) + 1; }
    float step() const override { return step_; }
    float product(unsigned code, int activation) const override {
      return static_cast<float>(integer(code)) * static_cast<float>(activation);
    }

   private:
    float step_;
  };
  const char* name() const override { return "odd_quarters"; }
  const char* meaning() const override { return "of this test"; }
  arith::BitRange weight_bits() const override { return {2, 2}; }
  std::unique_ptr<arith::WeightCodec> fit(const std::vector<float>& weights, int) const override {
    float largest = 0;
    for (const float weight : weights) largest = std::max(largest, std::fabs(weight));
    return std::make_unique<Codec>(largest / 4);
  }
  double luts_per_mac(int, int, arith::Grain) const override { return 10; }
};

void check_outside_method(tiled::MacGrain grain) {
  arith::QuantisationMethods methods;
  methods.add(std::make_unique<OddQuarters>());
  tiled::Config config = lenet_config({});
  config.quantisation = {"odd_quarters", 2, 8, grain};
  const auto run = test::run_machine(test::shipped_model("lenet5"), config, methods);
  CHECK(run.disagreement == "");
  CHECK(run.unaccounted() == "");
}

}  // namespace

TEST_CASE("LeNet-5 runs bit-exact and accounted for on the tiled accelerator") { check({}); }
TEST_CASE("a load function and a port for each stream give the same values") { check({"load.order=parallel"}); }
TEST_CASE("weights as they were trained give the same values") { check({"load.reorganise=false"}); }
TEST_CASE("fully connected layers on the convolution engine give the same values") { check({"fc={tm: 0, tn: 0}"}); }
TEST_CASE("without an engine of its own the first layer gives the same values") { check({"first={tm: 0, tn: 0}"}); }
TEST_CASE("a banked memory behind two ports gives the same values") {
  check({"load.order=parallel", "ddr.fidelity=banked", "ddr.part=../parts/zcu102_ddr4_2133.yaml"});
}
TEST_CASE("wires and their checker between interconnect and memory give the same values") {
  check({"port.pins=true", "load.order=parallel"});
}
TEST_CASE("uint8 layers with zero points run bit-exact on the tiled accelerator") {
  const auto run = test::run_machine(
      test::network_of(
          "input: {shape: [3, 11, 9], type: uint8, zero_point: 120}\nlayers:\n"
          "  - {name: a, type: conv, filters: 9, kernel: 3, padding: 1, activation: relu, quant: {type: uint8, "
          "zero_point: 7}}\n  - {name: p, type: avgpool, kernel: 3, stride: 2, padding: 1}\n"
          "  - {name: b, type: conv, filters: 6, kernel: 2, quant: {zero_point: -9}}\n"
          "  - {name: f, type: fc, units: 12, quant: {type: uint8, zero_point: 128}}\n"),
      lenet_config({}));
  CHECK(run.disagreement == "");
  CHECK(run.unaccounted() == "");
}
TEST_CASE("windows over the border alone give what the border gives on the tiled accelerator") {
  // Tiles of 16 sums: many of them meet no value of the map.
  const auto run = test::run_machine(
      test::network_of("input: {shape: [3, 4, 5], type: uint8, zero_point: 120}\nlayers:\n"
                       "  - {name: a, type: conv, filters: 9, kernel: 1, padding: 8}\n"
                       "  - {name: b, type: conv, filters: 4, kernel: 3, padding: 7, stride: 2, input_from: input}\n"
                       "  - {name: p, type: maxpool, kernel: 3, stride: 1, padding: 2}\n"),
      lenet_config({"conv.output_words=16", "store.pool_lines=3", "first={tm: 0, tn: 0}"}));
  CHECK(run.disagreement == "");
  CHECK(run.unaccounted() == "");
}

TEST_CASE("grouped convolutions run bit-exact on the tiled accelerator") { check({}, "tiny_grouped"); }

TEST_CASE("a quantisation method from outside runs coarse and is bit-exact") {
  check_outside_method(tiled::MacGrain::coarse);
}
TEST_CASE("a quantisation method from outside runs fine and is bit-exact") {
  check_outside_method(tiled::MacGrain::fine);
}

TEST_CASE("the stages' counts are those of the nest") {
  // The engine takes 5 of 12 channels and makes 6 of 8 at once: 3 tiles of input channels and 2 of output channels, at
  // one place.
  tiled::Config config = lenet_config({"first={tm: 0, tn: 0}", "conv={tm: 6, tn: 5}"});
  const auto run = test::run_machine(
      test::network_of("input: {shape: [12, 9, 9]}\nlayers:\n  - {name: c, type: conv, filters: 8, kernel: 3}\n"),
      config);
  CHECK(run.disagreement == "");
  const contract::LayerResult& layer = run.layers.at(0);
  CHECK(stage(layer, "load_input").tiles == 6);
  // Tiles have 5, 5 and 2 channels of 81 bytes; blocks of 5 channels begin at a beat.
  CHECK(stage(layer, "load_input").beats == 2 * (102 + 102 + 41));
  CHECK(stage(layer, "load_weights").tiles == 6);
  // 9 x 5 rows of 6 codes take a beat of 256 bits each; the parameters 8 x 8 bytes two.
  CHECK(stage(layer, "load_weights").beats == 6 * 45 + 2);
  CHECK(stage(layer, "compute").cycles == 2 * 3 * 9 * 49);
  CHECK(layer.buckets[static_cast<std::size_t>(rules::ArrayBucket::compute)] == 2 * 3 * 9 * 49);
  // 32 channels at once hold each tile's; 49 sums each.
  CHECK(stage(layer, "post_process").tiles == 2);
  CHECK(stage(layer, "post_process").cycles == 2 * 49);
  CHECK(stage(layer, "store").tiles == 2);
  CHECK(stage(layer, "store").beats == 74 + 25);  // 294 and 98 bytes, the second tile's from byte 2 of a word on
  CHECK(layer.bytes_written == 8 * 49);
}

}  // namespace fansim::tiled_machine_test

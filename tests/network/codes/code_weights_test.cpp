// SPDX-License-Identifier: Apache-2.0
#include "network/codes/code_weights.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "support/network_text.h"

namespace fansim::code_weights_test {

using namespace network;

namespace {

constexpr std::uint64_t kSeed = 7;
constexpr std::size_t kInputs = 3001, kOutputs = 523;  // more weights than one piece of the work has

// Draws weights one after another, in the units of `layer`'s codec: a draw has four fields of 14 bits.
std::vector<float> drawn_one_by_one(const Layer& layer) {
  base::Random random(kSeed, layer.name + "/weights");
  const double sigma = std::sqrt(4 * (16384.0 * 16384.0 - 1) / 12), wanted = std::sqrt(2.0 / kInputs);
  std::vector<float> weights;
  for (std::size_t i = 0; i < kInputs * kOutputs; ++i) {
    const std::uint64_t draw = random.next();
    int sum = 0;
    for (int field = 0; field < 4; ++field) sum += static_cast<int>(draw >> 16 * field & 0x3FFF);
    weights.push_back(static_cast<float>((sum - 2 * 16383.0) / sigma * wanted));
  }
  return weights;
}

Layer layer_of(std::size_t inputs, std::size_t outputs, int bits) {
  const std::string text = "input: {shape: [" + std::to_string(inputs) + ", 1, 1]}\nlayers:\n  - {name: l, type: fc, " +
                           "units: " + std::to_string(outputs) + "}\n";
  Layer layer = test::network_of(text).layers.front();
  layer.parameters().weights_given = false;
  layer.parameters().weight_bits = bits;
  return layer;
}

struct Expected {
  std::vector<double> sums;
  double squares = 0, along = 0;
};

// Checks every code against its weight, and adds up what they stand for.
Expected expected(const Layer& layer, const std::vector<float>& weights, bool fine) {
  Expected expected;
  const Parameters& parameters = layer.parameters();
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const unsigned code = parameters.codec->project(parameters.codec->prepare(weights[i]));
    if (parameters.code(i) != code) FAIL("weight " << i << ": code " << parameters.code(i) << ", not " << code);
    const float value = fine ? parameters.codec->operand(code) : static_cast<float>(parameters.codec->integer(code));
    if (i % kInputs == 0) expected.sums.push_back(0);
    expected.sums.back() += value;
    expected.squares += value * value;
    expected.along += value * weights[i];
  }
  return expected;
}

void check(const CodedWeights& coded, const Expected& expected) {
  CHECK(coded.sums == expected.sums);
  CHECK(coded.rms == std::sqrt(expected.squares / static_cast<double>(kInputs * kOutputs)));
}

}  // namespace

TEST_CASE("random weights are drawn and counted as one by one on however many threads") {
  const arith::QuantisationMethods methods;
  struct Case {
    const char* method;
    int bits;
    arith::Grain grain;
  };
  for (const Case& c : {Case{"dorefa", 8, arith::Grain::coarse}, Case{"dorefa", 12, arith::Grain::coarse},
                        Case{"dorefa", 16, arith::Grain::coarse}, Case{"dorefa", 2, arith::Grain::coarse},
                        Case{"kmeans", 8, arith::Grain::fine}, Case{"pot", 4, arith::Grain::coarse}}) {
    CAPTURE(c.method, c.bits);
    Layer layer = layer_of(kInputs, kOutputs, c.bits);
    const CodedWeights coded = code_weights(layer, {methods.find(c.method), c.bits, 8, c.grain, {}}, kSeed);
    REQUIRE(layer.parameters().weights.size() == kInputs * kOutputs * (c.bits > 8 ? 2 : 1));
    check(coded, expected(layer, drawn_one_by_one(layer), c.grain == arith::Grain::fine));
    CHECK(coded.unit == 1);
  }
}

TEST_CASE("given weights are counted as one by one on however many threads") {
  const arith::QuantisationMethods methods;
  for (const auto& [method, bits] : {std::pair{"pot", 4}, std::pair{"vecq", 6}, std::pair{"dorefa", 4}}) {
    CAPTURE(method, bits);
    Layer layer = layer_of(kInputs, kOutputs, bits);
    layer.parameters().weights_given = true;
    base::Random random(kSeed);
    layer.parameters().weights.resize(kInputs * kOutputs);
    random.fill(layer.parameters().weights.data(), layer.parameters().weights.size(), -128, 127);
    std::vector<float> weights;
    for (const std::int8_t weight : layer.parameters().weights) weights.push_back(static_cast<float>(weight) / 128);
    const CodedWeights coded = code_weights(layer, {methods.find(method), bits, 8, arith::Grain::coarse, {}}, kSeed);
    const Expected wanted = expected(layer, weights, false);
    check(coded, wanted);
    CHECK(coded.unit == 128 * wanted.along / wanted.squares);
  }
}

}  // namespace fansim::code_weights_test

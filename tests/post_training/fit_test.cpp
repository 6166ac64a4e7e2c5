// SPDX-License-Identifier: Apache-2.0
// These tests show how ranges are chosen, and what separate scales and corrected biases gain.
#include <catch2/catch.hpp>
#include <cmath>

#include "base/random.h"
#include "post_training/code_network.h"

namespace fansim::fit_test {

using namespace post_training;

namespace {

const arith::QuantisationMethods kMethods;

double reach(const Activation& fit) { return static_cast<double>(fit.value(fit.format.highest())); }

// Returns 0, the values from 1 to 9,999 ten-thousandths, and one value far beyond.
std::vector<float> with_outlier() {
  std::vector<float> sample;
  for (int i = 0; i < 40000; ++i) sample.push_back(static_cast<float>(i % 10000) / 10000);
  sample.push_back(100);
  return sample;
}

// A convolution of two outputs, the second's weights a hundredth of the first's, over inputs of mean 1.
struct Unequal {
  network::FloatNetwork network;
  std::vector<network::Tensor> inputs;

  Unequal() {
    base::Random random(11);
    network::Layer layer;
    layer.name = "c";
    layer.operation = network::Convolution{};
    layer.conv().filters = 2;
    layer.in = network::Shape::map(8, 2, 2);
    layer.out = network::Shape::map(2, 2, 2);
    layer.in_format = layer.out_format = network::NumberFormat::of(network::DataType::float32);
    network.network.input = {layer.in, layer.in_format, {}};
    network.network.layers.push_back(layer);
    network::FloatWeights weights;
    for (int i = 0; i < 16; ++i)
      weights.weights.push_back(static_cast<float>(random.uniform(-1000, 1000)) / (i < 8 ? 1000.0F : 100000.0F));
    weights.bias.assign(2, 0);
    network.weights.push_back(weights);
    for (int i = 0; i < 4; ++i) {
      network::Tensor input = network.network.input;
      input.resize(32);
      for (std::size_t at = 0; at < 32; ++at) input.set_real(at, static_cast<float>(random.uniform(0, 2000)) / 1000);
      inputs.push_back(input);
    }
  }

  // Returns by how much the mean of output 1 is higher in codes than in floats.
  double second_is_off(const Coder& coder) const {
    const Coded coded = code_networks(network, inputs, {coder})[0];
    const network::Layer& layer = coded.network->layers[0];
    double off = 0;
    for (const network::Tensor& input : inputs)
      for (std::size_t at = 0; at < 4; ++at) {
        double exact = 0, sum = static_cast<double>(layer.parameters().bias[1]);
        for (std::size_t c = 0; c < 8; ++c) {
          const double value = static_cast<double>(input.real(c * 4 + at));
          exact += static_cast<double>(network.weights[0].weights[8 + c]) * value;
          sum += layer.parameters().integer(8 + c) * value / coded.calibration.of(network::Layer::kInput).step;
        }
        const network::Scales& scales = layer.scales();
        const std::size_t part = scales.scale.size() - 1;
        const double scaled = std::ldexp(sum * scales.scale[part], -scales.shift[part]);
        off += scaled * coded.calibration.activations[1].step - exact;
      }
    return off / 16;
  }
};

Coder linear(int bits) { return {kMethods.find("linear"), bits, 8}; }

}  // namespace

TEST_CASE("ranges are the extremes or all but the outermost or what the codes are spent on best") {
  const std::vector<float> sample = with_outlier();
  const auto reach_of = [&](Ranges ranges) { return reach(fit_activation(sample, 0, 100, 8, {ranges, false})); };
  CHECK(reach_of(Ranges::minmax) == Approx(100));
  CHECK(reach_of(Ranges::percentile) == Approx(1).margin(0.01));
  std::vector<float> tail;  // fewer and fewer, up to 9.2
  for (int i = 1; i < 10000; ++i) tail.push_back(-std::log(static_cast<float>(i) / 10000));
  for (const Ranges ranges : {Ranges::mse, Ranges::kl}) {
    const double found = reach(fit_activation(tail, 0, 9.3F, 4, {ranges, false}));
    CHECK(found < 8);
    CHECK(found > 2);
  }
  const std::vector<float> even{-3, -1, 0, 1, 2, 3};
  for (const Ranges ranges : {Ranges::mse, Ranges::minmax, Ranges::percentile, Ranges::kl})
    CHECK(fit_activation({0, 0}, 0, 0, 8, {ranges, false}).step == 1);
  const Activation symmetric = fit_activation(even, -3, 3, 3, {Ranges::minmax, true});
  CHECK(symmetric.format == network::NumberFormat::codes(3));
  CHECK(symmetric.step == 1);
  CHECK(symmetric.code(-3) == -3);
}

TEST_CASE("linear codes are the nearest multiples of a step that leaves the least squared error") {
  const std::vector<float> weights{-1, -0.5F, 0, 0.25F, 0.75F};
  const auto codec = kMethods.find("linear")->fit(weights, 4);
  for (const float weight : weights)
    CHECK(codec->inverse(codec->project(weight)) ==
          Approx(weight).margin(static_cast<double>(codec->step()) / 2 + 0.01));
  CHECK(codec->integer(codec->project(-100)) == -8);
  CHECK(codec->integer(codec->project(100)) == 7);
  CHECK(kMethods.find("linear")->fit({0, 0}, 8)->project(0) == 0);
}

TEST_CASE("an output of small weights keeps them with a scale of its own and loses them without") {
  const Unequal unequal;
  Coder coder = linear(4);
  const Coded together = code_networks(unequal.network, unequal.inputs, {coder})[0];
  coder.per_channel = true;
  const Coded apart = code_networks(unequal.network, unequal.inputs, {coder})[0];
  const auto used = [](const Coded& coded) {
    int largest = 0;
    for (std::size_t i = 8; i < 16; ++i)
      largest = std::max(largest, std::abs(coded.network->layers[0].parameters().integer(i)));
    return largest;
  };
  CHECK(used(together) == 0);
  CHECK(used(apart) >= 6);
  CHECK(together.network->layers[0].scales().scale.size() == 1);
  CHECK(apart.network->layers[0].scales().scale.size() == 2);
}

TEST_CASE("a corrected bias takes off what coded weights add on average") {
  const Unequal unequal;
  Coder coder = linear(3);
  coder.per_channel = true;
  const double plain = std::abs(unequal.second_is_off(coder));
  coder.corrects = true;
  const double corrected = std::abs(unequal.second_is_off(coder));
  CAPTURE(plain, corrected);
  CHECK(plain > 0);
  CHECK(corrected < plain / 4);
}

TEST_CASE("methods without integers or with one codebook have neither") {
  const Unequal unequal;
  for (const bool corrects : {false, true}) {
    Coder coder{kMethods.find("kmeans"), 4, 8};
    coder.corrects = corrects;
    coder.per_channel = !corrects;
    const std::vector<Coded> both = code_networks(unequal.network, unequal.inputs, {coder, linear(8)});
    CHECK(both[0].refusal == (corrects ? "'kmeans' has no integers, whose biases could be corrected"
                                       : "'kmeans' has one scale for a layer"));
    CHECK(both[1].network);
  }
}

}  // namespace fansim::fit_test

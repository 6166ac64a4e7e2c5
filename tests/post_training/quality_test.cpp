// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>

#include "base/file.h"
#include "base/npy.h"
#include "base/random.h"
#include "network/codes/quantise.h"
#include "network/reference/reference.h"
#include "post_training/quality.h"
#include "post_training/write_network.h"
#include "support/user_error.h"

namespace fansim::quality_test {

using namespace post_training;
using network::Tensor;

namespace {

const arith::QuantisationMethods kMethods;

Tensor tensor(const network::Shape& shape, const std::vector<float>& values) {
  Tensor result{shape, network::NumberFormat::of(network::DataType::float32), {}};
  result.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) result.set_real(i, values[i]);
  return result;
}

// Draws a bell-shaped distribution with the given deviation.
std::vector<float> bell(base::Random& random, std::size_t count, double sigma, double mean = 0) {
  std::vector<float> values;
  for (std::size_t i = 0; i < count; ++i) {
    double sum = 0;
    for (int part = 0; part < 12; ++part) sum += random.uniform(-(1 << 20), 1 << 20) / std::ldexp(1.0, 21);
    values.push_back(static_cast<float>(sum * sigma + mean));
  }
  return values;
}

struct Folder : test::ScratchDirectory {
  network::FloatNetwork load(const std::string& layers, const std::string& shape) const {
    base::write_file(*this / "n.yaml",
                     "version: 1\nname: n\ninput: {shape: " + shape + ", type: float32}\nlayers:\n" + layers);
    return network::load_float_network(*this / "n.yaml");
  }
};

// Holds a residual block and a classifier, drawn from a seed.
struct Residual : Folder {
  network::FloatNetwork network;
  std::vector<Tensor> inputs;

  explicit Residual(double mean = 0) {
    base::Random random(7);
    base::write_npy(*this / "a.npy", {8, 2, 3, 3}, bell(random, 8 * 18, 0.3, mean));
    base::write_npy(*this / "ab.npy", {8}, bell(random, 8, 0.2));
    base::write_npy(*this / "b.npy", {8, 4, 3, 3}, bell(random, 8 * 36, 0.2, mean));
    base::write_npy(*this / "f.npy", {10, 8 * 16}, bell(random, 80 * 16, 0.1));
    network = load(
        "- {name: a, type: conv, filters: 8, kernel: 3, padding: 1, activation: relu, weights: a.npy, bias: ab.npy}\n"
        "- {name: b, type: conv, filters: 8, kernel: 3, padding: 1, groups: 2, weights: b.npy}\n"
        "- {name: s, type: add, with: a, activation: relu}\n"
        "- {name: p, type: avgpool, kernel: 2}\n"
        "- {name: f, type: fc, units: 10, weights: f.npy}\n",
        "[2, 8, 8]");
    for (int i = 0; i < 6; ++i) inputs.push_back(tensor(network::Shape::map(2, 8, 8), bell(random, 128, 1, 0.5)));
  }
  Coded code(const std::string& method, int weight_bits, int activation_bits) const {
    return code_networks(network, inputs, {{kMethods.find(method), weight_bits, activation_bits}})[0];
  }
  Quality measure(const std::string& method, int weight_bits, int activation_bits) const {
    return post_training::measure(network, inputs, {code(method, weight_bits, activation_bits)})[0];
  }
};

}  // namespace

TEST_CASE("signal to noise is ten times the logarithm of the ratio of squares") {
  SignalToNoise sqnr;
  CHECK_FALSE(sqnr.db());
  sqnr.add(3, 3);
  CHECK_FALSE(sqnr.db());  // exact
  sqnr.add(-4, -4.5);      // 25 of signal, 1/4 of noise
  CHECK(*sqnr.db() == Approx(20));
}

TEST_CASE("a layer of ternary weights loses what the hand computes") {
  // E|w| = 0.6, so the threshold is 0.42; above it lie 0.5, -0.7 and 1, whose mean magnitude is 2.2 / 3.
  const Folder folder;
  base::write_npy(folder / "w.npy", {1, 4}, std::vector<float>{0.5f, -0.7f, 0.2f, 1});
  const network::FloatNetwork network = folder.load("- {name: f, type: fc, units: 1, weights: w.npy}\n", "[1, 1, 4]");
  const network::Shape shape = network::Shape::map(1, 1, 4);
  const std::vector<Tensor> inputs{tensor(shape, {255, 100, 0, 40}), tensor(shape, {255, 0, 0, 255})};
  const Coded coded = code_networks(network, inputs, {{kMethods.find("tnn"), 2, 8}})[0];
  CHECK(coded.calibration.of(-1).step == 1);
  CHECK(coded.calibration.of(0).step == Approx(1.5));  // 382.5 / 255
  CHECK(coded.network->layers[0].parameters().weights == std::vector<std::int8_t>{1, 3, 0, 1});
  // 127.5 - 70 + 40 = 97.5 becomes 195 * 2.2 / 3 = 143, which is 95 steps, 142.5;
  // 127.5 + 255 = 382.5 becomes 510 * 2.2 / 3 = 374, which is 249 steps, 373.5.
  const Quality quality = measure(network, inputs, {coded})[0];
  CHECK(quality.layers[0].sqnr.signal == Approx(97.5 * 97.5 + 382.5 * 382.5));
  CHECK(quality.layers[0].sqnr.noise == Approx(45 * 45 + 9 * 9));
  CHECK(*quality.layers[0].sqnr.db() == Approx(18.691).margin(0.001));
  CHECK(quality.agreement_percent() == 100);
}

TEST_CASE("more bits lose less by about 6 dB each where weights and activations are even steps") {
  const Residual residual;
  double last = -4;
  for (const int bits : {2, 4, 6, 8}) {
    const Quality quality = residual.measure("vecq", bits, bits);
    CAPTURE(bits, quality.refusal);
    REQUIRE(quality.layers.size() == 5);
    CHECK(*quality.layers[0].sqnr.db() > last + 8);
    CHECK(*quality.layers[0].sqnr.db() < 6.02 * bits + 6);
    last = *quality.layers[0].sqnr.db();
  }
}

TEST_CASE("every method codes the residual network so that its signal stands above the noise") {
  const Residual residual;
  for (const std::string& name : kMethods.names()) {
    const arith::QuantisationMethod& method = *kMethods.find(name);
    const Quality quality = residual.measure(name, usual_coder(method).weight_bits, 8);
    CAPTURE(name, quality.refusal);
    REQUIRE(quality.layers.size() == 5);
    for (const LayerQuality& layer : quality.layers) {
      CAPTURE(layer.name);
      CHECK(*layer.sqnr.db() > 1);
    }
    CHECK(quality.inputs == 6);
  }
}

TEST_CASE("the mean that mul2q takes off the weights comes back in the bias for the mean input") {
  const Residual residual(0.2);
  const Coded coded = residual.code("mul2q", 8, 8);
  const Calibration& calibration = coded.calibration;
  const network::Layer& layer = coded.network->layers[0];
  double mean = 0;
  for (const float weight : residual.network.weights[0].weights) mean += weight;
  mean /= static_cast<double>(layer.weight_count());
  const double unit = std::ldexp(layer.scales().scale[0], -layer.scales().shift[0]) * calibration.of(0).step;
  const float bias = residual.network.weights[0].bias[3];
  CHECK(static_cast<double>(layer.parameters().bias[3]) * unit ==
        Approx(bias + mean * calibration.window_sums[0]).epsilon(1e-3));
}

TEST_CASE("a network in codes that is read again computes the same") {
  const Residual residual;
  struct Width {
    const char* method;
    int weights, activations;
  };
  for (const auto& [name, weights, activations] : {Width{"bnn", 1, 8}, Width{"dorefa", 16, 16}, Width{"dorefa", 8, 8},
                                                   Width{"pot", 5, 4}, Width{"kmeans", 3, 8}, Width{"vecq", 4, 1}}) {
    CAPTURE(name, weights, activations);
    const std::vector<Coded> coded{residual.code(name, weights, activations)};
    REQUIRE(coded[0].network);
    const std::string out = residual / fmt::format("{}{}", name, weights);
    write_networks(out, out + "/floats.yaml", coded);
    const std::string folder = out + "/" + name + "/";
    network::LoadOptions options;
    options.input = folder + "input.npy";
    network::Network read = network::load_network(folder + "network.yaml", options);
    const bool fine = std::string(name) == "kmeans";
    const arith::QuantiserFormat wide{48, 48, arith::Rounding::half_up};
    network::quantise(
        read, {kMethods.find(name), weights, activations, fine ? arith::Grain::fine : arith::Grain::coarse, wide},
        options);
    const auto wanted = run_reference(*coded[0].network, wide), found = run_reference(read, wide);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      CAPTURE(read.layers[i].name);
      CHECK(found[i].out.bytes == wanted[i].out.bytes);
      CHECK(found[i].out.format == wanted[i].out.format);
    }
    CHECK(test::message_of([&] {
            network::quantise(read, {kMethods.find("tnn"), 2, activations, arith::Grain::coarse, wide}, options);
          }).find(fmt::format("network.yaml: quantised by '{}' to weight_bits {}", name, weights)) !=
          std::string::npos);
  }
}

TEST_CASE("what a method cannot take is said and an error once no method is left") {
  const Folder folder;
  base::write_npy(folder / "w.npy", {4, 2}, std::vector<float>(8, 0.5f));
  base::write_file(folder / "n.yaml",
                   "version: 1\nname: n\ninput: {steps: 3, features: 1, type: float32}\nlayers:\n"
                   "- {name: l, type: lstm, hidden: 1, weights: w.npy}\n");
  const network::FloatNetwork network = network::load_float_network(folder / "n.yaml");
  const std::vector<Tensor> inputs{tensor(network::Shape::series(3, 1), {1, 2, 3})};
  CHECK(test::message_of([&] {
          code_networks(network, inputs, {{kMethods.find("tnn"), 8, 8}, {kMethods.find("vecq"), 4, 8}});
        }) == (folder / "n.yaml") +
                  ": no method can take this network\n"
                  "tnn: weight_bits 8 is out of range for 'tnn'; allowed: 2\n"
                  "vecq: l: 'vecq' quantises conv and fc, pooling, relu, add and flatten; not lstm");
}

TEST_CASE("a bias beyond a sum's steps is a reason and not another number") {
  const Folder folder;
  base::write_npy(folder / "w.npy", {1, 1}, std::vector<float>{1e-6f});
  base::write_npy(folder / "b.npy", {1}, std::vector<float>{1e6f});
  const network::FloatNetwork network =
      folder.load("- {name: f, type: fc, units: 1, weights: w.npy, bias: b.npy}\n", "[1, 1, 1]");
  const std::vector<Tensor> inputs{tensor(network::Shape::map(1, 1, 1), {1})};
  CHECK_THAT(test::message_of([&] {
               code_networks(network, inputs, {{kMethods.find("dorefa"), 8, 8}});
             }),
             Catch::Contains("\ndorefa: f: bias 1000000 is ") && Catch::EndsWith("steps of a sum, more than 2^30"));
}

}  // namespace fansim::quality_test

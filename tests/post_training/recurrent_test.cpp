// SPDX-License-Identifier: Apache-2.0
// These tests cover LSTM and GRU in int8: what a sum counts, how far the codes' sequence is from the floats', and which
// machines accept them.
#include <catch2/catch.hpp>
#include <cmath>

#include "base/file.h"
#include "base/npy.h"
#include "base/random.h"
#include "network/reference/reference.h"
#include "post_training/quality.h"
#include "post_training/write_network.h"
#include "support/user_error.h"

namespace fansim::recurrent_test {

using namespace post_training;
using network::Tensor;

namespace {

const arith::QuantisationMethods kMethods;
constexpr int kSteps = 12, kFeatures = 6, kHidden = 10;

std::vector<float> drawn(base::Random& random, int count, double most) {
  std::vector<float> values;
  for (int i = 0; i < count; ++i) values.push_back(static_cast<float>(random.uniform(-1000, 1000) / 1000.0 * most));
  return values;
}

// A recurrent layer, the last step of it, and a classifier.
struct Sequence : test::ScratchDirectory {
  network::FloatNetwork network;
  std::vector<Tensor> inputs;

  explicit Sequence(const std::string& type) {
    base::Random random(11);
    const int gates = type == "lstm" ? 4 : 3, biases = type == "lstm" ? 4 : 6;
    base::write_npy(*this / "w.npy", {gates * kHidden, kFeatures + kHidden},
                    drawn(random, gates * kHidden * (kFeatures + kHidden), 0.4));
    base::write_npy(*this / "b.npy", {biases * kHidden}, drawn(random, biases * kHidden, 0.5));
    base::write_npy(*this / "f.npy", {3, kHidden}, drawn(random, 3 * kHidden, 1));
    base::write_file(
        *this / "n.yaml",
        "version: 1\nname: n\ninput: {steps: 12, features: 6, type: float32}\nlayers:\n- {name: l, type: " + type +
            ", hidden: 10, weights: w.npy, bias: b.npy}\n- {name: v, type: flatten}\n"
            "- {name: s, type: slice, first: 110, channels: 10}\n"
            "- {name: f, type: fc, units: 3, weights: f.npy}\n");
    network = network::load_float_network(*this / "n.yaml");
    for (int i = 0; i < 8; ++i) {
      Tensor input = network.network.input;
      input.resize(kSteps * kFeatures);
      const std::vector<float> values = drawn(random, kSteps * kFeatures, 3);
      for (std::size_t at = 0; at < values.size(); ++at) input.set_real(at, values[at]);
      inputs.push_back(input);
    }
  }
  Coded code(const std::string& method, int weight_bits, int activation_bits) const {
    return code_networks(network, inputs, {{kMethods.find(method), weight_bits, activation_bits}})[0];
  }
};

}  // namespace

TEST_CASE("a recurrent layer's weights count what its sums count whether of x or of h") {
  for (const char* type : {"lstm", "gru"}) {
    const Sequence sequence(type);
    const Coded coded = sequence.code("linear", 8, 8);
    REQUIRE(coded.refusal == "");
    const network::Layer& layer = coded.network->layers[0];
    CHECK(layer.out_format == network::NumberFormat::codes(8));
    CHECK(layer.step == 1.0 / 128);
    CHECK(coded.network->layers[2].step == 1.0 / 128);  // moved only
    CHECK(coded.network->input.format.is_unsigned());
    const double step = layer.in_step;
    CHECK(step > 0.02);
    // M / 2^n makes Q3.12 of a sum: so many of a sum's steps are 1.
    const double one = 4096 / std::ldexp(layer.scales().scale[0], -layer.scales().shift[0]);
    const network::FloatWeights& floats = sequence.network.weights[0];
    const std::size_t row = kFeatures + kHidden;
    for (std::size_t i = 0; i < floats.weights.size(); ++i) {
      const double counts = i % row < kFeatures ? step : 1.0 / 128;
      const double exact = static_cast<double>(floats.weights[i]) * counts * one;  // in one weight's integers
      if (std::abs(exact) < 127) CHECK(std::abs(layer.parameters().integer(i) - exact) < 0.51);
    }
    for (std::size_t i = 0; i < floats.bias.size(); ++i)
      CHECK(std::abs(static_cast<double>(layer.parameters().bias[i]) - static_cast<double>(floats.bias[i]) * one) <
            0.6);
  }
}

TEST_CASE("an int8 sequence is near that of the floats and is the same when its files are read") {
  for (const char* type : {"lstm", "gru"}) {
    CAPTURE(type);
    const Sequence sequence(type);
    const Coded coded = sequence.code("linear", 8, 8);
    const Quality quality = measure(sequence.network, sequence.inputs, {coded})[0];
    for (const LayerQuality& layer : quality.layers) {
      CAPTURE(layer.name);
      CHECK(layer.sqnr.db().value() > 28);
    }
    write_networks(sequence / "codes", sequence / "n.yaml", {coded});
    const network::Network read = network::load_network(sequence / "codes/linear/network.yaml");
    const arith::QuantiserFormat wide{48, 48, arith::Rounding::half_up};
    const auto wanted = run_reference(*coded.network, wide);
    CHECK(read.layers[0].parameters().weights == coded.network->layers[0].parameters().weights);
    CHECK(read.layers[0].scales().scale == coded.network->layers[0].scales().scale);
    // The file's input is random unless it is given.
    network::Network same = read;
    same.input = coded.network->input;
    const auto again = run_reference(same, wide);
    REQUIRE(again.size() == wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) CHECK(again[i].out.bytes == wanted[i].out.bytes);
  }
}

TEST_CASE("recurrent layers are int8: no other width or method takes them and none is read as one") {
  const Sequence sequence("lstm");
  const auto refusal = [&](const char* method, int weight_bits, int activation_bits) {
    const std::string message = test::message_of([&] { sequence.code(method, weight_bits, activation_bits); });
    return message.substr(message.rfind('\n') + 1);
  };
  CHECK(refusal("linear", 4, 8) == "linear: l: lstm is of int8; weights of 4 bits and activations of 8 are not");
  CHECK(refusal("linear", 8, 6) == "linear: l: lstm is of int8; weights of 8 bits and activations of 6 are not");
  CHECK(refusal("dorefa", 8, 8) ==
        "dorefa: l: 'dorefa' quantises conv and fc, pooling, relu, add and flatten; not lstm");
  write_networks(sequence / "codes", sequence / "n.yaml", {sequence.code("linear", 8, 8)});
  const std::string file = sequence / "codes/linear/network.yaml";
  std::string text = base::read_file(file);
  text.replace(text.find("method: linear"), 14, "method: vecq");
  base::write_file(file, text);
  CHECK(test::message_of([&] {
          network::load_network(file);
        }).find("'vecq' of weight_bits 8, activation_bits 8 has no codes of lstm, which is int8") != std::string::npos);
}

TEST_CASE("a format that is not the hidden state's is refused where nothing rescales to it") {
  const Sequence sequence("gru");
  std::string text = base::read_file(sequence / "n.yaml");
  text.replace(text.find("type: flatten"), 13, "type: flatten, format: {step: 0.02}");
  base::write_file(sequence / "n.yaml", text);
  const network::FloatNetwork network = network::load_float_network(sequence / "n.yaml");
  CHECK(test::message_of([&] {
          code_networks(network, sequence.inputs, {{kMethods.find("linear"), 8, 8}});
        }).find("v: key 'format' is another than that of a tensor it shares one with") != std::string::npos);
}

}  // namespace fansim::recurrent_test

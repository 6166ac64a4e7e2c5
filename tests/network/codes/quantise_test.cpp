// SPDX-License-Identifier: Apache-2.0
#include "network/codes/quantise.h"

#include <catch2/catch.hpp>

#include "base/file.h"
#include "base/npy.h"
#include "network/reference/reference.h"
#include "support/quantisation.h"
#include "support/user_error.h"

namespace fansim::quantise_test {

using namespace network;
using arith::Grain;

namespace {

constexpr arith::QuantiserFormat kWide{48, 48, arith::Rounding::half_up};

// This is a small network of AlexNet's shape: overlapping pools, groups, and several fc layers at the end.
const std::string kSmallAlexnet = R"(version: 1
name: small_alexnet
input: {shape: [3, 35, 35]}
layers:
  - {name: conv1, type: conv, filters: 16, kernel: 5, stride: 2, padding: 2, activation: relu}
  - {name: pool1, type: maxpool, kernel: 3, stride: 2}
  - {name: conv2, type: conv, filters: 24, kernel: 5, padding: 2, groups: 2, activation: relu}
  - {name: pool2, type: maxpool, kernel: 3, stride: 2}
  - {name: conv3, type: conv, filters: 32, kernel: 3, padding: 1, activation: relu}
  - {name: conv4, type: conv, filters: 40, kernel: 3, padding: 1}
  - {name: relu4, type: relu}
  - {name: flatten4, type: flatten}
  - {name: fc5, type: fc, units: 1000, activation: relu}
  - {name: fc6, type: fc, units: 400}
)";

struct Scratch : test::ScratchDirectory {
  network::LoadOptions options;

  network::Network load(const std::string& text) const {
    base::write_file(*this / "n.yaml", text);
    return load_network(*this / "n.yaml", options);
  }
  network::Network quantised(const std::string& text, const network::Quantisation& quantisation) const {
    network::Network network = load(text);
    quantise(network, quantisation, options);
    return network;
  }
};

network::Quantisation quantisation(const std::string& method, int weight_bits, int activation_bits, Grain grain) {
  static const arith::QuantisationMethods methods;
  return {methods.find(method), weight_bits, activation_bits, grain, kWide};
}

// Every computing layer's values before activation tell something, and no sum overflows.
void check_informative(const network::Network& network, int bits) {
  const std::vector<network::Result> results = run_reference(network, kWide);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const network::Statistics& statistics = results[i].statistics;
    INFO(network.layers[i].name);
    if (bits <= 2) CHECK(statistics.rarest(bits) >= (network.layers[i].computes() ? 0.1 : 0));
    if (bits > 2) CHECK(statistics.informative() >= 0.5);
    CHECK(statistics.accumulator_overflows == 0);
  }
}

void check_every_width(const std::vector<int>& activation_widths) {
  const Scratch scratch;
  test::for_every_width([&](const arith::QuantisationMethod& method, int bits) {
    const Grain grain = method.supports(Grain::coarse) ? Grain::coarse : Grain::fine;
    for (const int activation_bits : activation_widths) {
      INFO(method.name() << " of " << bits << " bits, activations of " << activation_bits);
      check_informative(scratch.quantised(kSmallAlexnet, {&method, bits, activation_bits, grain, kWide}),
                        activation_bits);
    }
  });
}

}  // namespace

TEST_CASE("every method and width leaves random data informative at activations of 1 and 2 and 3 bits") {
  check_every_width({1, 2, 3});
}

TEST_CASE("every method and width leaves random data informative at activations of 4 and 8 and 16 bits") {
  check_every_width({4, 8, 16});
}

TEST_CASE("float sums and many seeds leave random data informative") {
  Scratch scratch;
  for (scratch.options.seed = 1; scratch.options.seed <= 8; ++scratch.options.seed) {
    for (const int activation_bits : {1, 2, 5, 12}) {
      for (const char* method : {"bnn", "dorefa"}) {
        INFO(method << ", seed " << scratch.options.seed << ", activations of " << activation_bits);
        check_informative(scratch.quantised(kSmallAlexnet, quantisation(method, 1, activation_bits, Grain::fine)),
                          activation_bits);
      }
    }
  }
}

TEST_CASE("unsigned types and zero points follow the values to other widths") {
  const Scratch scratch;
  const std::string text = base::read_file(FANSIM_SOURCE_DIR "/models/tiny_uint8.yaml");
  const network::Network four = scratch.quantised(text, quantisation("vecq", 4, 4, Grain::coarse));
  CHECK(four.input.format.zero_point == 121 / 16);
  CHECK(four.layers[0].out_format.zero_point == 96 / 16);
  CHECK(four.layers[2].out_format.zero_point == -2);  // floor(-20 / 16)
  CHECK(four.layers[1].in_format.zero_point == four.layers[0].out_format.zero_point);
  CHECK(four.layers[0].out_format.is_unsigned());
  CHECK_FALSE(four.layers[2].out_format.is_unsigned());
  const network::Network ten = scratch.quantised(text, quantisation("vecq", 4, 10, Grain::coarse));
  CHECK(ten.input.format.zero_point == 121 * 4);
  CHECK(ten.layers[2].out_format.zero_point == -80);
  const network::Network one = scratch.quantised(text, quantisation("vecq", 4, 1, Grain::coarse));
  for (const network::Layer& layer : one.layers) {
    CHECK(layer.out_format.is_unsigned());
    CHECK(layer.in_format.is_unsigned());
    CHECK(layer.out_format.zero_point == 0);
  }
  for (const int bits : {3, 6, 11, 16}) {
    INFO(bits << " bits");
    const network::Network network = scratch.quantised(text, quantisation("dorefa", 6, bits, Grain::coarse));
    const std::vector<network::Result> results = run_reference(network, kWide);
    CHECK(results[0].statistics.informative() >= 0.5);
    CHECK(results.back().statistics.zeros < results.back().statistics.values);
  }
}

TEST_CASE("random tensors depend on the seed and nothing else") {
  Scratch scratch;
  const network::Quantisation pot = quantisation("pot", 4, 6, Grain::fine);
  const network::Network once = scratch.quantised(kSmallAlexnet, pot);
  const network::Network again = scratch.quantised(kSmallAlexnet, pot);
  scratch.options.seed = 2;
  const network::Network other = scratch.quantised(kSmallAlexnet, pot);
  CHECK(once.input.bytes == again.input.bytes);
  CHECK(once.input.bytes != other.input.bytes);
  for (const std::size_t i : {0u, 2u, 9u}) {
    CHECK(once.layers[i].parameters().weights == again.layers[i].parameters().weights);
    CHECK(once.layers[i].parameters().bias == again.layers[i].parameters().bias);
    CHECK(once.layers[i].parameters().float_sums->scale == again.layers[i].parameters().float_sums->scale);
    CHECK(once.layers[i].parameters().weights != other.layers[i].parameters().weights);
  }
}

TEST_CASE("weights take one byte per code up to 8 bits and then two") {
  const Scratch scratch;
  for (const int bits : {1, 4, 8, 9, 16}) {
    const network::Network network = scratch.quantised(kSmallAlexnet, quantisation("dorefa", bits, 16, Grain::coarse));
    const network::Layer& conv = network.layers[0];
    const network::Parameters& parameters = conv.parameters();
    INFO(bits << " bits");
    CHECK(parameters.weights.size() == static_cast<std::size_t>(conv.weight_count()) * (bits > 8 ? 2 : 1));
    for (std::size_t i = 0; i < static_cast<std::size_t>(conv.weight_count()); ++i) {
      REQUIRE(parameters.code(i) < parameters.codec->codes());
      REQUIRE(parameters.integer(i) == parameters.codec->integer(parameters.code(i)));
    }
    CHECK(network.input.bytes.size() == static_cast<std::size_t>(network.input.shape.elements()) * 2);
    CHECK(network.layers.back().in_format.bits == 16);
  }
}

TEST_CASE("without values only formats are set") {
  Scratch scratch;
  scratch.options.values = false;
  const network::Network network = scratch.quantised(kSmallAlexnet, quantisation("kmeans", 4, 6, Grain::fine));
  CHECK(network.input.format.bits == 6);
  CHECK(network.input.bytes.empty());
  CHECK(network.layers[2].in_format.bits == 6);
  CHECK(network.layers[2].parameters().weight_bits == 4);
  CHECK(network.layers[2].parameters().float_sums->steps == 25);
  CHECK(network.layers[2].parameters().float_sums);
  CHECK(network.layers[2].parameters().weights.empty());
  CHECK(network.layers[8].parameters().float_sums->steps == 1);
}

TEST_CASE("what quantisation does not reach is refused at the layer") {
  const Scratch scratch;
  const std::string text =
      "version: 1\nname: n\ninput: {steps: 5, features: 6}\nlayers:\n- {name: a, type: lstm, hidden: 4}\n";
  CHECK(test::message_of([&] { scratch.quantised(text, quantisation("bnn", 1, 8, Grain::fine)); }) ==
        scratch / "n.yaml" + ":5:3: a: 'bnn' quantises conv and fc, pooling, relu, add and flatten; not lstm");
  CHECK(test::message_of([&] { scratch.quantised(kSmallAlexnet, quantisation("bnn", 2, 8, Grain::fine)); }) ==
        "weight_bits 2 is out of range for 'bnn'; allowed: 1");
  CHECK(test::message_of([&] { scratch.quantised(kSmallAlexnet, quantisation("kmeans", 4, 8, Grain::coarse)); }) ==
        "grain 'coarse' is not defined for 'kmeans'; did you mean 'fine'?");
}

}  // namespace fansim::quantise_test

// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <climits>
#include <cmath>

#include "base/file.h"
#include "base/npy.h"
#include "base/random.h"
#include "network/codes/quantise.h"
#include "network/reference/reference.h"
#include "support/user_error.h"

namespace fansim::quantise_given_test {

using namespace network;
using arith::Grain;

namespace {

constexpr arith::QuantiserFormat kWide{48, 48, arith::Rounding::half_up};

// Holds a network that carries all its tensors.
struct Given : test::ScratchDirectory {
  LoadOptions options;

  Given() {
    options.input = *this / "input.npy";
    base::write_npy(options.input, {4, 9, 9}, random(4 * 9 * 9, 128));
    base::write_npy(*this / "w.npy", {16, 4, 3, 3}, random(16 * 4 * 3 * 3, 40));
    base::write_npy(*this / "b.npy", {16},
                    std::vector<std::int32_t>{900, -900, 0, 100, -5, 17, 300, -300,  //
                                              90, -90, 10, 1000, -50, 170, 3000, -3000});
    write("quant: {scale: 800, shift: 16}");
  }
  void write(const std::string& quant) const {
    base::write_file(*this / "n.yaml",
                     "version: 1\nname: n\ninput: {shape: [4, 9, 9]}\nlayers:\n"
                     "- {name: a, type: conv, filters: 16, kernel: 3, weights: w.npy, bias: b.npy, " +
                         quant + "}\n");
  }
  Network quantised(const std::string& method, int weight_bits, int activation_bits, Grain grain) const {
    static const arith::QuantisationMethods methods;
    Network network = load_network(*this / "n.yaml", options);
    quantise(network, {methods.find(method), weight_bits, activation_bits, grain, kWide}, options);
    return network;
  }
  // Largest and root mean square distance of the output from the int8 network's, in int8 steps.
  std::pair<double, double> distance(const Network& network) const {
    const Tensor exact = run_reference(load_network(*this / "n.yaml", options), kWide)[0].out;
    const Tensor found = run_reference(network, kWide)[0].out;
    double largest = 0, squares = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) {
      const double away = std::abs(std::ldexp(found.at(i), 8 - found.format.bits) - exact.at(i));
      largest = std::max(largest, away);
      squares += away * away;
    }
    return {largest, std::sqrt(squares / static_cast<double>(exact.size()))};
  }

 private:
  static std::vector<std::int8_t> random(std::size_t count, int limit) {
    std::vector<std::int8_t> values(count);
    base::Random(9).fill(values.data(), count, -limit, limit - 1);
    return values;
  }
};

}  // namespace

TEST_CASE("int8 weights that are given are codes of an 8-bit linear method as they are") {
  const Given given;
  for (const char* method : {"dorefa", "vecq", "mul2q"}) {
    INFO(method);
    const Network network = given.quantised(method, 8, 8, Grain::coarse);
    CHECK(network.layers[0].parameters().codec == nullptr);
    CHECK(given.distance(network).first == 0);
    CHECK(given.distance(given.quantised(method, 8, 8, Grain::fine)).first <= 1);  // 800 / 2^16 is rounded once more
  }
  CHECK(given.quantised("kmeans", 8, 8, Grain::fine).layers[0].parameters().codec != nullptr);
}

TEST_CASE("given weights and bias and scale keep their meaning in every method that tells weights apart") {
  const Given given;
  const auto rms = [&](const char* method, int bits, Grain grain) {
    return given.distance(given.quantised(method, bits, 8, grain)).second;
  };
  CHECK(rms("dorefa", 16, Grain::coarse) < 2);  // the tangent bends weights up to 40 / 128
  CHECK(rms("kmeans", 8, Grain::fine) < 0.6);   // every weight has a centroid; the bias is rounded to 128 products
  // 7 bits leave an error of 1.3 / sqrt(12) per weight, 74 * 6 * 800 / 2^16 times that in an output; mul2q drops the
  // weights' mean, -0.5, too, as much again.
  CHECK(rms("vecq", 7, Grain::coarse) < 2.5);
  CHECK(rms("mul2q", 7, Grain::fine) < 4.5);
  const double ternary = rms("tnn", 2, Grain::coarse);
  CHECK(rms("vecq", 4, Grain::coarse) < ternary / 2);
  CHECK(rms("pot", 4, Grain::coarse) < ternary);
  CHECK(ternary < rms("bnn", 1, Grain::coarse));
}

TEST_CASE("activations that are given are shifted to other widths") {
  const Given given;
  const Network eight = given.quantised("dorefa", 8, 8, Grain::coarse);
  const Network four = given.quantised("dorefa", 8, 4, Grain::coarse);
  const Network twelve = given.quantised("dorefa", 8, 12, Grain::coarse);
  const Network one = given.quantised("dorefa", 8, 1, Grain::coarse);
  for (std::size_t i = 0; i < eight.input.size(); ++i) {
    REQUIRE(four.input.at(i) == (eight.input.at(i) >> 4));
    REQUIRE(twelve.input.at(i) == eight.input.at(i) * 16);
    REQUIRE(one.input.at(i) == (eight.input.at(i) >= 0 ? 1 : 0));
  }
  CHECK(given.distance(twelve).first <= 1);
  // Dropping 4 bits leaves 8.8 per value, times 23 * 6 * 800 / 2^16 in an output, and 4.6 of its own.
  CHECK(given.distance(four).second < 20);
}

TEST_CASE("a derived scale suits given weights and bias") {
  const Given given;
  given.write("activation: none");
  for (const int bits : {3, 8, 14}) {
    INFO(bits << " bits");
    const Network network = given.quantised("tnn", 2, bits, Grain::coarse);
    CHECK(run_reference(network, kWide)[0].statistics.informative() >= 0.5);
  }
}

TEST_CASE("float sums take one scale and a list for given weights is refused") {
  const Given given;
  given.write("quant: {scale: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16], shift: 12}");
  CHECK(test::message_of([&] { given.quantised("bnn", 1, 8, Grain::fine); }) ==
        given / "n.yaml" + ":5:3: a: quant has a scale or shift per output, float sums of 'bnn' take one");
  const Network coarse = given.quantised("vecq", 7, 8, Grain::coarse);
  CHECK(coarse.layers[0].scales().scale.size() == 16);
  CHECK(given.distance(coarse).second < 1);
}

TEST_CASE("a scale that is given holds for drawn weights with and without values") {
  Given given;
  base::write_file(
      given / "n.yaml",
      "version: 1\nname: n\ninput: {shape: [4, 9, 9]}\nlayers:\n"
      "- {name: a, type: conv, filters: 3, kernel: 3, quant: {scale: [9, 1, 32767], shift: [1, 31, 0]}}\n");
  for (const int bits : {8, 12, 16}) {
    for (const bool values : {true, false}) {
      given.options.values = values;
      const Layer layer = given.quantised("dorefa", bits, bits, Grain::coarse).layers[0];
      CHECK(layer.scales().scale == std::vector<int>{9, 1, 32767});
      CHECK(layer.scales().shift == std::vector<int>{1, 31, 0});
    }
  }
  CHECK_THROWS_WITH(given.quantised("kmeans", 8, 8, Grain::fine), Catch::Contains("float sums of 'kmeans' take one"));
}

TEST_CASE("a bias that is given keeps every bit") {
  const Given given;
  std::vector<std::int32_t> bias(16, 1 << 30);
  bias[0] = INT_MIN;
  bias[1] = INT_MAX;
  bias[2] = -1804390479;
  base::write_npy(given / "b.npy", {16}, bias);
  for (const int bits : {8, 12, 16}) {
    const Network network = given.quantised("dorefa", 8, bits, Grain::coarse);
    for (std::size_t i = 0; i < bias.size(); ++i)
      CHECK(network.layers[0].parameters().bias[i] == std::int64_t{bias[i]} * (1 << (bits - 8)));
  }
}

}  // namespace fansim::quantise_given_test

// SPDX-License-Identifier: Apache-2.0
// These tests check the reference executor in single precision: against double precision, and the order of its sums
// with sums of a few numbers that reveal it.
#include <catch2/catch.hpp>
#include <cmath>

#include "accelerators/decoupled/compile/prepare.h"
#include "network/float/in_single.h"
#include "network/reference/reference.h"
#include "support/network_text.h"

namespace fansim::floats_test {

using network::Layer;
using network::LayerType;

namespace {

decoupled::Config machine(int tn, int block) {
  decoupled::Config config;
  config.data.type = decoupled::DataType::float32;
  config.array.tn = tn;
  config.schedule.block = block;
  return config;
}

network::Network prepared(const std::string& body, const decoupled::Config& config) {
  network::Network network = test::network_of(body);
  decoupled::prepare(network, config, {});
  return network;
}

// Holds a layer's result in double precision, and the sum of the magnitudes of its terms.
struct Exact {
  double value = 0, size = 0;
};
Exact exact(const Layer& layer, const network::Tensor& in, int filter, int row, int column) {
  const int own = layer.in.channels / layer.groups(), first = filter / (layer.outputs() / layer.groups()) * own;
  const network::Window& window = layer.window();
  const int rows = layer.type() == LayerType::fc ? layer.in.height : window.kernel;
  const int columns = layer.type() == LayerType::fc ? layer.in.width : window.kernel;
  const double bias = static_cast<double>(layer.single()->bias[static_cast<std::size_t>(filter)]);
  Exact sum{bias, std::abs(bias)};
  std::size_t at = static_cast<std::size_t>(filter * layer.fan_in());
  for (int c = first; c < first + own; ++c)
    for (int kr = 0; kr < rows; ++kr)
      for (int kc = 0; kc < columns; ++kc, ++at) {
        const int y = row * window.stride + kr - window.padding[0], x = column * window.stride + kc - window.padding[1];
        if (y < 0 || x < 0 || y >= layer.in.height || x >= layer.in.width) continue;
        const auto from = static_cast<std::size_t>((c * layer.in.height + y) * layer.in.width + x);
        const double product = static_cast<double>(in.real(from)) * static_cast<double>(layer.single()->weights[at]);
        sum.value += product;
        sum.size += std::abs(product);
      }
  return sum;
}

// Sums by an fc with one output over a map of these values, which are also its products.
float sum_of(const network::Shape& map, const std::vector<float>& products, const decoupled::Config& config) {
  network::Network network = prepared("input: {shape: [" + std::to_string(map.channels) + ", " +
                                          std::to_string(map.height) + ", " + std::to_string(map.width) +
                                          "]}\nlayers:\n  - {name: f, type: flatten}\n"
                                          "  - {name: a, type: fc, units: 1}\n",
                                      config);
  auto stage = std::make_shared<network::SingleStage>(*network.layers[1].single());
  stage->weights.assign(products.size(), 1);
  stage->bias = {0};
  network.layers[1].arithmetic = std::shared_ptr<const network::SingleStage>(stage);
  for (std::size_t i = 0; i < products.size(); ++i) network.input.set_real(i, products[i]);
  return network::run_reference(network, {}).back().out.real(0);
}

}  // namespace

TEST_CASE("layers in single precision are as near to double precision as so many roundings allow") {
  const network::Network network = prepared(
      "input: {shape: [6, 9, 8], type: uint8, zero_point: 3, step: 0.05}\nlayers:\n"
      "  - {name: c, type: conv, filters: 10, kernel: 3, padding: [1, 0, 2, 1], stride: 2, groups: 2}\n"
      "  - {name: d, type: conv, filters: 7, kernel: 1, activation: relu}\n"
      "  - {name: e, type: fc, units: 5}\n",
      machine(4, 2));
  const auto results = network::run_reference(network, {});
  int compared = 0, cut = 0;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const Layer& layer = network.layers[i];
    const network::Tensor& in = i == 0 ? network.input : results[i - 1].out;
    // Each product is rounded once, and each sum of them, which are at most so many.
    const double share = std::ldexp(static_cast<double>(layer.single()->order.size()) + 2, -24);
    std::size_t at = 0;
    for (int filter = 0; filter < layer.out.channels; ++filter)
      for (int row = 0; row < layer.out.height; ++row)
        for (int column = 0; column < layer.out.width; ++column, ++at, ++compared) {
          const Exact wanted = exact(layer, in, filter, row, column);
          const auto found = static_cast<double>(results[i].out.real(at));
          const bool relu = layer.activation == network::Activation::relu;
          cut += relu && wanted.value < 0;
          REQUIRE(std::abs(found - (relu ? std::max(wanted.value, 0.0) : wanted.value)) <= share * wanted.size);
        }
  }
  CHECK(compared > 200);
  CHECK(cut > 10);
}

TEST_CASE("a step's products are a tree of pairs and steps follow one another") {
  // 2^24 + 1 is no float: what is added to 2^24 alone is lost, what is added before is not.
  constexpr float kBig = 1 << 24;
  const network::Shape one = network::Shape::map(4, 1, 1);
  CHECK(sum_of(one, {kBig, 1, 1, 1}, machine(1, 1)) == kBig);
  CHECK(sum_of(one, {kBig, 1, 1, 1}, machine(2, 2)) == kBig + 2);
  CHECK(sum_of(one, {kBig, 1, 1, 1}, machine(4, 4)) == kBig + 2);
  CHECK(sum_of(one, {1, 1, 1, kBig}, machine(1, 1)) == kBig + 4);  // 2^24 + 3 lies half-way, so it rounds to the even
                                                                   // neighbour
  // An odd last one goes up as it is: (1 + 1) + 2^24; (1 + 2^24) + 1, then 1 alone.
  CHECK(sum_of(one, {1, 1, kBig, 0}, machine(3, 3)) == kBig + 2);
  CHECK(sum_of(one, {1, kBig, 1, 1}, machine(3, 3)) == kBig);
}

TEST_CASE("a flattened map is summed as it lies in memory") {
  constexpr float kBig = 1 << 24;
  // The map has three channels of two places. With blocks of two channels, a step of four covers both places of the
  // first two channels.
  const network::Shape map = network::Shape::map(3, 1, 2);
  CHECK(sum_of(map, {kBig, 0, 1, 0, 1, 0}, machine(2, 2)) == kBig);
  CHECK(sum_of(map, {kBig, 1, 0, 1, 0, 0}, machine(4, 2)) == kBig + 2);
  CHECK(sum_of(map, {kBig, 1, 0, 0, 1, 0}, machine(4, 2)) == kBig);
  CHECK(sum_of(map, {kBig, 1, 0, 0, 1, 0}, machine(4, 1)) == kBig);
  CHECK(sum_of(map, {0, 0, kBig, 1, 1, 0}, machine(2, 1)) == kBig);
}

TEST_CASE("codes become the numbers that they stand for") {
  network::Network network = test::network_of(
      "input: {shape: [1, 1, 2], type: uint8, zero_point: 4, step: 0.5}\nlayers:\n"
      "  - {name: l, type: leaky_relu, alpha: 0.1}\n");
  network.input.set(0, 1);
  network.input.set(1, 9);
  decoupled::prepare(network, machine(1, 1), {});
  CHECK(network.input.real(0) == -1.5F);
  CHECK(network.input.real(1) == 2.5F);
  const network::Tensor out = network::run_reference(network, {})[0].out;
  CHECK(out.real(0) == -1.5F * 0.1F);
  CHECK(out.real(1) == 2.5F);
}

TEST_CASE("single precision does not reach what recurs") {
  network::Network network =
      test::network_of("input: {steps: 2, features: 3}\nlayers:\n  - {name: l, type: lstm, hidden: 2}\n");
  CHECK_THROWS_WITH(decoupled::prepare(network, machine(1, 1), {}), Catch::Contains("not lstm"));
}

}  // namespace fansim::floats_test

// SPDX-License-Identifier: Apache-2.0
#include "network/layer.h"

#include <catch2/catch.hpp>
#include <stdexcept>
#include <utility>
#include <variant>

namespace fansim::layer_test {

using network::Layer;
using network::LayerType;

namespace {

Layer layer_of(network::Operation operation) {
  Layer layer;
  layer.operation = std::move(operation);
  return layer;
}

}  // namespace

TEST_CASE("a layer has the type of its operation") {
  network::Recurrent gru;
  gru.gru = true;
  CHECK(layer_of(network::Convolution{}).type() == LayerType::conv);
  CHECK(layer_of(network::FullyConnected{}).type() == LayerType::fc);
  CHECK(layer_of(network::Pooling{}).type() == LayerType::maxpool);
  CHECK(layer_of(network::Pooling{true, {}}).type() == LayerType::avgpool);
  CHECK(layer_of(network::Recurrent{}).type() == LayerType::lstm);
  CHECK(layer_of(gru).type() == LayerType::gru);
  CHECK(layer_of(network::Addition{}).type() == LayerType::add);
  CHECK(layer_of(network::FunctionStage{}).type() == LayerType::function);
  CHECK(layer_of(openvx::Stage{}).type() == LayerType::vision);
}

TEST_CASE("a layer gives the fields of its own kind and refuses those of another") {
  Layer conv = layer_of(network::Convolution{8, 2, {3, 1}, {}}), pool = layer_of(network::Pooling{false, {2, 2}});
  CHECK(conv.outputs() == 8);
  CHECK(conv.groups() == 2);
  CHECK(conv.window().area() == 9);
  CHECK(conv.computes());
  CHECK_NOTHROW(conv.parameters());
  CHECK_THROWS_AS(conv.pooling(), std::bad_variant_access);
  CHECK(pool.window().stride == 2);
  CHECK(pool.groups() == 1);
  CHECK_FALSE(pool.computes());
  CHECK_THROWS_AS(pool.parameters(), std::logic_error);
  CHECK_THROWS_AS(pool.scales(), std::logic_error);
  CHECK_THROWS_AS(pool.recurrent(), std::bad_variant_access);
  CHECK(layer_of(network::Relu{}).window().kernel == 1);
}

TEST_CASE("an addition has scales once its operands have weights") {
  Layer sum = layer_of(network::Addition{});
  CHECK_THROWS_AS(sum.scales(), std::logic_error);
  sum.addition() = {{2, 1}, {{5}, {3}, true}};
  CHECK(sum.rescales());
  CHECK(sum.scales().scale == std::vector<int>{5});
  CHECK(sum.requantise(0).shift == 3);
}

TEST_CASE("sums in floats take the elements of a window one after another") {
  Layer conv = layer_of(network::Convolution{1, 1, {3, 1}, {}});
  conv.scales() = {{3}, {1}, true};
  conv.sum_in_floats(true);
  conv.parameters().scale_float_sums();
  REQUIRE(conv.parameters().float_sums.has_value());
  CHECK(conv.parameters().float_sums->steps == 9);
  CHECK(conv.parameters().float_sums->scale == 1.5F);
  conv.sum_in_floats(false);
  CHECK_FALSE(conv.parameters().float_sums.has_value());
}

}  // namespace fansim::layer_test

// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "network/network.h"

namespace fansim::shapes_test {

using network::LayerType;
using network::Network;
using network::Shape;

namespace {

Network load(const std::string& model) {
  network::LoadOptions options;
  options.values = false;
  return network::load_network(FANSIM_SOURCE_DIR "/models/" + model + ".yaml", options);
}

std::int64_t macs(const Network& network, LayerType type) {
  std::int64_t sum = 0;
  for (const network::Layer& layer : network.layers) sum += layer.type() == type ? layer.macs() : 0;
  return sum;
}

std::vector<std::string> outputs(const Network& network) {
  std::vector<std::string> shapes;
  for (const network::Layer& layer : network.layers) shapes.push_back(layer.out.text());
  return shapes;
}

}  // namespace

TEST_CASE("VGG-16 has the published number of products") {
  const Network vgg = load("vgg16");
  CHECK(macs(vgg, LayerType::conv) == 15'346'630'656);
  CHECK(macs(vgg, LayerType::fc) == 123'633'664);
  CHECK(vgg.layers.size() == 21);
  CHECK(vgg.layers[17].out == Shape::map(512, 7, 7));
  CHECK(vgg.layers[20].out == Shape::map(1000, 1, 1));
}

TEST_CASE("AlexNet has the published number of products with and without groups") {
  const Network plain = load("alexnet");
  CHECK(macs(plain, LayerType::conv) == 1'076'634'144);
  CHECK(macs(plain, LayerType::fc) == 58'621'952);
  CHECK(outputs(plain) == std::vector<std::string>{"(96, 55, 55)", "(96, 27, 27)", "(256, 27, 27)", "(256, 13, 13)",
                                                   "(384, 13, 13)", "(384, 13, 13)", "(256, 13, 13)", "(256, 6, 6)",
                                                   "(4096, 1, 1)", "(4096, 1, 1)", "(1000, 1, 1)"});
  const Network grouped = load("alexnet_grouped");
  CHECK(macs(grouped, LayerType::conv) == 665'784'864);
  CHECK(macs(grouped, LayerType::fc) == 58'621'952);
}

TEST_CASE("an LSTM's products are counted per step") {
  const Network lstm = load("lstm256");
  CHECK(lstm.layers[0].macs() == 1000 * std::int64_t{1'286'144});
  CHECK(lstm.layers[0].out == Shape::series(1000, 256));
}

TEST_CASE("the small models have the shapes they are meant to have") {
  CHECK(outputs(load("lenet5")) == std::vector<std::string>{"(6, 28, 28)", "(6, 14, 14)", "(16, 10, 10)", "(16, 5, 5)",
                                                            "(120, 1, 1)", "(84, 1, 1)", "(10, 1, 1)"});
  CHECK(outputs(load("tiny_conv")) == std::vector<std::string>{"(12, 24, 20)", "(12, 12, 10)", "(16, 12, 10)",
                                                               "(20, 12, 10)", "(20, 5, 4)", "(9, 3, 2)", "(8, 3, 2)",
                                                               "(10, 1, 1)"});
  const Network residual = load("tiny_residual");
  CHECK(residual.layers[3].source == 2);
  CHECK(residual.layers[3].with == 0);
  CHECK(residual.layers[6].source == 4);
  CHECK(residual.layers[9].out == Shape::map(48, 1, 1));
  CHECK(load("tiny_gru").layers[1].out == Shape::series(10, 16));
  const Network uint8 = load("tiny_uint8");
  CHECK(uint8.layers[1].out_format.is_unsigned());  // pooling keeps its producer's format
  CHECK(uint8.layers[1].out_format.zero_point == 96);
  CHECK(uint8.layers[2].in_format.zero_point == 96);
  CHECK_FALSE(uint8.layers[3].out_format.is_unsigned());
}

TEST_CASE("without values a network carries quantisation but no tensors") {
  const Network vgg = load("vgg16");
  CHECK(vgg.input.bytes.empty());
  CHECK(vgg.layers[0].parameters().weights.empty());
  CHECK(vgg.layers[0].parameters().bias.empty());
  CHECK(vgg.layers[0].scales().scale.size() == 1);
}

}  // namespace fansim::shapes_test

// SPDX-License-Identifier: Apache-2.0
#include "network/random_tensors.h"

#include <catch2/catch.hpp>

#include "base/random.h"

namespace fansim::random_tensors_test {

namespace {

network::Network load(bool later, std::uint64_t seed = 1) {
  network::LoadOptions options;
  options.seed = seed;
  options.weights_later = later;
  return network::load_network(std::string(FANSIM_SOURCE_DIR) + "/models/lenet5.yaml", options);
}

}  // namespace

TEST_CASE("any weights that are drawn later are those that are drawn at once") {
  const network::Network at_once = load(false), later = load(true);
  base::Random random(std::uint64_t{17});
  int layers = 0;
  for (std::size_t i = 0; i < later.layers.size(); ++i) {
    const network::Layer& layer = later.layers[i];
    if (!layer.computes()) continue;
    ++layers;
    CHECK(layer.parameters().weights.empty());
    const std::vector<std::int8_t>& whole = at_once.layers[i].parameters().weights;
    REQUIRE(network::later_weights(layer) == whole);
    CHECK(layer.parameters().bias == at_once.layers[i].parameters().bias);
    CHECK(layer.parameters().lowest_weight == at_once.layers[i].parameters().lowest_weight);
    std::vector<std::int8_t> some;
    for (int part = 0; part < 50; ++part) {
      const int first = random.uniform(0, static_cast<int>(whole.size()) - 1);
      const int count = random.uniform(0, static_cast<int>(whole.size()) - first);
      network::later_weights(layer, first, count, some);
      REQUIRE(some == std::vector<std::int8_t>(whole.begin() + first, whole.begin() + first + count));
    }
  }
  CHECK(layers == 5);
}

TEST_CASE("weights that are drawn later are of the seed") {
  const network::Network one = load(true, 1), two = load(true, 2);
  CHECK(network::later_weights(one.layers.front()) != network::later_weights(two.layers.front()));
  CHECK_FALSE(load(false).layers.front().parameters().later);
}

}  // namespace fansim::random_tensors_test

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>

#include "accelerators/registry.h"
#include "contract/program.h"
#include "network/network.h"

namespace fansim::parameters_later_test {

namespace {

contract::Program compiled(const accelerators::Accelerator& accelerator, const network::Network& network, bool later) {
  compile::Options options;
  options.parameters_later = later;
  return std::get<contract::Program>(accelerator.compile(network, options));
}

}  // namespace

// One side draws weights and writes parameters beforehand; the other leaves both until they are needed.
TEST_CASE("parameters that are written later are those that are written at once on every machine") {
  const std::string root = FANSIM_SOURCE_DIR;
  for (const auto& [config, model] : std::initializer_list<std::pair<const char*, const char*>>{
           {"tiny_stream", "lenet5"},
           {"tiny_stream", "tiny_lstm"},
           {"tiny_stream", "tiny_gru"},
           {"tiny_stream", "tiny_uint8"},
           {"tiny_stream", "tiny_grouped"},
           {"tiny_stream", "tiny_residual"},
           {"faq_zcu102_dorefa8", "lenet5"},
           {"tiny_decoupled", "lenet5"},
       }) {
    CAPTURE(config, model);
    const auto accelerator = accelerators::read_accelerator(root + "/configs/systems/" + config + ".yaml", {});
    const auto load = [&](bool later) {
      network::LoadOptions options;
      options.weights_later = later && accelerator->weights_drawn() == accelerators::WeightsDrawn::when_used;
      network::Network network = network::load_network(root + "/models/" + model + ".yaml", options);
      accelerator->prepare(network, options);
      return network;
    };
    const network::Network drawn = load(false), left = load(true);
    const contract::Program at_once = compiled(*accelerator, drawn, false);
    contract::Program later = compiled(*accelerator, left, true);
    CHECK_FALSE(contract::parameters_are_left(at_once.layers));
    CHECK(contract::parameters_are_left(later.layers));
    REQUIRE(later.memory.size() == at_once.memory.size());
    CHECK_FALSE(std::equal(later.memory.begin(), later.memory.end(), at_once.memory.begin()));
    for (const contract::LayerPlan& layer : later.layers)
      if (layer.parameters) layer.parameters(later.memory.data());
    CHECK(std::equal(later.memory.begin(), later.memory.end(), at_once.memory.begin()));
  }
}

}  // namespace fansim::parameters_later_test

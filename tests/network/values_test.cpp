// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "network/reference.h"

using namespace fansim;
using namespace fansim::network;

namespace {

// The streaming accelerator's published widths: the narrowest that random tensors must suit.
constexpr arith::QuantiserFormat kPublished{20, 16, arith::Rounding::truncate};

void check_informative(const std::string& model, std::uint64_t seed) {
  LoadOptions options;
  options.seed = seed;
  const Network network = load_network(FANSIM_SOURCE_DIR "/models/" + model + ".yaml", options);
  const std::vector<Result> results = run_reference(network, kPublished);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Statistics& statistics = results[i].statistics;
    INFO(model << ", seed " << seed << ", layer " << network.layers[i].name);
    CHECK(statistics.informative() >= 0.75);
    CHECK(static_cast<double>(statistics.accumulator_overflows) <= 0.001 * static_cast<double>(statistics.values));
  }
}

}  // namespace

TEST_CASE("random tensors of the big models are informative in every layer") {
  for (const char* model : {"alexnet", "alexnet_grouped", "vgg16", "lstm256"}) check_informative(model, 1);
}

TEST_CASE("random tensors of the small models are informative in every layer, for many seeds") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (const char* model : {"lenet5", "tiny_conv", "tiny_mobile", "tiny_residual", "tiny_lstm", "tiny_gru",
                              "tiny_grouped", "tiny_uint8"}) {
      check_informative(model, seed);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "base/interrupt.h"
#include "network/codes/code_weights.h"
#include "network/random_tensors.h"
#include "network/reference/reference.h"
#include "support/network_text.h"

namespace fansim::values_test {

using namespace network;

namespace {

// These are the streaming accelerator's published widths, the narrowest for which random tensors must be suitable.
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

TEST_CASE("random tensors of the small models are informative in every layer for many seeds") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (const char* model : {"lenet5", "tiny_conv", "tiny_mobile", "tiny_residual", "tiny_lstm", "tiny_gru",
                              "tiny_grouped", "tiny_uint8"}) {
      check_informative(model, seed);
    }
  }
}

// This runs in a process of its own, because an interrupt stays set.
TEST_CASE("making values and computing references end inside a layer when interrupted") {
  std::vector<network::Network> networks;
  for (const char* layer : {"{name: l, type: conv, filters: 4, kernel: 3}", "{name: l, type: fc, units: 8}",
                            "{name: l, type: maxpool, kernel: 2}"})
    networks.push_back(test::network_of(std::string("input: {shape: [4, 6, 6]}\nlayers:\n  - ") + layer + "\n"));
  networks.push_back(
      test::network_of("input: {steps: 3, features: 4}\nlayers:\n  - {name: l, type: lstm, hidden: 5, steps: 3}\n"));
  const arith::QuantisationMethods methods;
  const pid_t child = ::fork();
  if (child == 0) {
    base::catch_interrupts();
    ::raise(SIGINT);
    int given_up = 0;
    const auto count = [&](const auto& work) {
      try {
        work();
      } catch (const base::Interrupted&) {
        ++given_up;
      }
    };
    for (network::Network& network : networks) {
      network::Layer& layer = network.layers.front();
      count([&] { network::run_reference(layer, {}, network.input, nullptr); });
      if (layer.computes()) count([&] { network::fill_random_weights(layer, 9, 1); });
    }
    network::Layer& conv = networks.front().layers.front();
    conv.parameters().weights_given = false;
    count([&] { network::code_weights(conv, {methods.find("dorefa"), 4, 8, arith::Grain::coarse, {}}, 1); });
    ::_exit(given_up);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 4 + 3 + 1);
}

}  // namespace fansim::values_test

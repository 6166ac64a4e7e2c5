// SPDX-License-Identifier: Apache-2.0
// These tests execute programs of random machines and networks command by command, and compare them with the reference
// executor.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdlib>

#include "accelerators/decoupled/compile/compile.h"
#include "accelerators/decoupled/compile/prepare.h"
#include "accelerators/decoupled/values/decoupled_values.h"
#include "base/error.h"
#include "network/codes/quantise.h"
#include "network/reference/reference.h"
#include "random/random_case.h"
#include "support/network_text.h"

namespace fansim::programs_test {

namespace {

struct Outcome {
  int layers = 0, floats = 0;  // compared; of floats
  std::string misfit, difference;
};

// Compares every layer whose output lies in memory.
Outcome compare(const network::Network& network, const decoupled::Config& config) {
  Outcome outcome;
  auto compiled = decoupled::compile_network(network, config, {});
  if (const auto* no = std::get_if<compile::Unschedulable>(&compiled)) {
    outcome.misfit = no->layer + ": " + no->reason;
    return outcome;
  }
  auto& program = std::get<contract::Program>(compiled);
  const std::vector<network::Result> expected = network::run_reference(network, config.quantiser);
  contract::LayerSteps steps;
  for (std::size_t at = 0; contract::next_layer(program, at, steps);) {
    decoupled::compute_layer(config, *steps.plan, program.memory, {});
    if (steps.plan->host) steps.plan->host(program.memory.data());
  }
  for (const contract::LayerPlan& plan : program.layers) {
    if (!plan.output) continue;
    const std::vector<std::int32_t> values = plan.output->values(program.memory.data());
    const network::Tensor& out = expected[static_cast<std::size_t>(plan.layer)].out;
    ++outcome.layers;
    outcome.floats += out.format.type == network::DataType::float32;
    REQUIRE(values.size() == out.size());
    for (std::size_t i = 0; i < values.size() && outcome.difference.empty(); ++i)
      if (values[i] != out.word(i))
        outcome.difference =
            fmt::format("{} ({}): value {} is {:#x}, not {:#x}", plan.name, plan.type, i, values[i], out.word(i));
  }
  return outcome;
}

Outcome compare(const test::Case& c) {
  try {
    const auto config = decoupled::Config::read(std::string(FANSIM_SOURCE_DIR "/") + c.base, c.settings);
    network::Network network = test::network_of(c.body());
    decoupled::prepare(network, config, {});
    return compare(network, config);
  } catch (const base::UserError& error) {
    return {0, 0, error.what(), ""};  // a random machine or network may be none
  }
}

Outcome compare_from(std::uint64_t first, int count) {
  Outcome all;
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count); ++seed) {
    test::Case c = test::random_decoupled_case(seed);
    Outcome outcome = compare(c);
    all.layers += outcome.layers;
    all.floats += outcome.floats;
    if (!outcome.misfit.empty() && std::getenv("FANSIM_MISFITS")) fmt::print("{}: {}\n", seed, outcome.misfit);
    if (outcome.difference.empty()) continue;
    for (std::size_t i = c.layers.size(); i-- > 0 && c.layers.size() > 1;) {
      test::Case smaller = c;
      smaller.layers.erase(smaller.layers.begin() + static_cast<std::ptrdiff_t>(i));
      if (!compare(smaller).difference.empty()) c = smaller;
    }
    FAIL(fmt::format("seed {}: {}\n{}", seed, compare(c).difference, c.file("")));
  }
  return all;
}

}  // namespace

TEST_CASE("programs of random machines leave what the reference executor says: first half") {
  const Outcome all = compare_from(1, 60);
  CHECK(all.layers > 300);
  CHECK(all.floats > 60);
}
TEST_CASE("programs of random machines leave what the reference executor says: second half") {
  const Outcome all = compare_from(1001, 60);
  CHECK(all.layers > 300);
  CHECK(all.floats > 60);
}

}  // namespace fansim::programs_test

// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/compile/check.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <exception>

#include "accelerators/stream/compile/interpreter.h"
#include "network/reference/reference.h"

namespace fansim::test {

network::Network model(const std::string& name, bool values) {
  network::LoadOptions options;
  options.values = values;
  return network::load_network(std::string(FANSIM_SOURCE_DIR) + "/models/" + name + ".yaml", options);
}

stream::Config config_of(const ArrayShape& shape, stream::LoopOrder order) {
  stream::Config config;
  config.array.rows = shape.rows;
  config.array.cols = shape.cols;
  config.array.input_channels = shape.input_channels;
  config.array.output_channels = shape.output_channels;
  config.schedule.loop_order = order;
  return config;
}

contract::Program compiled(const network::Network& network, const stream::Config& config,
                           const compile::Options& options) {
  auto result = compile_network(network, config, options);
  if (const auto* failed = std::get_if<compile::Unschedulable>(&result)) FAIL(failed->layer << ": " << failed->reason);
  return std::move(std::get<contract::Program>(result));
}

const stream::TensorPlace& place_of(const contract::LayerPlan& plan) {
  return dynamic_cast<const stream::TensorPlace&>(*plan.output);
}

std::string reason(const network::Network& network, const stream::Config& config) {
  const auto result = compile_network(network, config);
  const auto* failed = std::get_if<compile::Unschedulable>(&result);
  return failed ? failed->layer + ": " + failed->reason : "";
}

std::string disagreement(const network::Network& network, const stream::Config& config,
                         const compile::Options& options) {
  const contract::Program program = compiled(network, config, options);
  Interpreter machine(program, config);
  try {
    machine.run();
  } catch (const std::exception& error) {
    return error.what();
  }
  const auto results = network::run_reference(network, config.quantiser);
  for (const contract::LayerPlan& plan : program.layers) {
    if (plan.fused_into >= 0) continue;
    const auto layer = static_cast<std::size_t>(plan.layer);
    const network::Tensor got = machine.tensor(place_of(plan), network.layers[layer]);
    const network::Tensor& expected = results[layer].out;
    if (got.bytes.size() != expected.bytes.size()) return plan.name + ": another size";
    for (std::size_t i = 0; i < got.bytes.size(); ++i)
      if (got.bytes[i] != expected.bytes[i])
        return fmt::format("{}: element {} of {} is {}, expected {}", plan.name, i, got.bytes.size(), got.at(i),
                           expected.at(i));
  }
  return "";
}

}  // namespace fansim::test

// SPDX-License-Identifier: Apache-2.0
#include "compile/check.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>

#include "compile/interpreter.h"
#include "network/reference.h"

namespace fansim::test {

network::Network network_of(const std::string& yaml, std::uint64_t seed) {
  const auto path = std::filesystem::temp_directory_path() / fmt::format("fansim_{:p}.yaml", fmt::ptr(&yaml));
  std::ofstream(path) << "version: 1\nname: test\n" << yaml;
  network::LoadOptions options;
  options.seed = seed;
  network::Network network = network::load_network(path.string(), options);
  std::filesystem::remove(path);
  return network;
}

network::Network model(const std::string& name, bool values) {
  network::LoadOptions options;
  options.values = values;
  return network::load_network(std::string(FANSIM_SOURCE_DIR) + "/models/" + name + ".yaml", options);
}

arch::StreamConfig config_of(const ArrayShape& shape, arch::LoopOrder order) {
  arch::StreamConfig config;
  config.array.rows = shape.rows;
  config.array.cols = shape.cols;
  config.array.input_channels = shape.input_channels;
  config.array.output_channels = shape.output_channels;
  config.schedule.loop_order = order;
  return config;
}

arch::Program compiled(const network::Network& network, const arch::StreamConfig& config,
                       const compile::Options& options) {
  auto result = compile::compile(network, config, options);
  if (const auto* failed = std::get_if<compile::Unschedulable>(&result)) FAIL(failed->layer << ": " << failed->reason);
  return std::move(std::get<arch::Program>(result));
}

std::string reason(const network::Network& network, const arch::StreamConfig& config) {
  const auto result = compile::compile(network, config);
  const auto* failed = std::get_if<compile::Unschedulable>(&result);
  return failed ? failed->layer + ": " + failed->reason : "";
}

std::string disagreement(const network::Network& network, const arch::StreamConfig& config,
                         const compile::Options& options) {
  const arch::Program program = compiled(network, config, options);
  Interpreter machine(program, config);
  try {
    machine.run();
  } catch (const std::exception& error) {
    return error.what();
  }
  const auto results = network::run_reference(network, config.quantiser);
  for (const arch::LayerPlan& plan : program.layers) {
    if (plan.fused_into >= 0) continue;
    const auto layer = static_cast<std::size_t>(plan.layer);
    const network::Tensor got = machine.tensor(plan.output, network.layers[layer]);
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

// SPDX-License-Identifier: Apache-2.0
#include "systems/machine.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <numeric>

#include "base/file.h"
#include "compile/compile.h"
#include "compile/tiled/compile_tiled.h"
#include "compile/tiled/engine_choice.h"
#include "network/quantise.h"
#include "network/reference.h"
#include "support/user_error.h"
#include "systems/stream_machine.h"
#include "systems/tiled_machine.h"

namespace fansim::test {

namespace {

std::string source(const std::string& path) { return std::string(FANSIM_SOURCE_DIR) + "/" + path; }

std::vector<network::Tensor> reference_outputs(const network::Network& network, const arith::QuantiserFormat& format) {
  std::vector<network::Tensor> outputs;
  const auto of = [&](int index) -> const network::Tensor& {
    return index < 0 ? network.input : outputs[static_cast<std::size_t>(index)];
  };
  for (const network::Layer& layer : network.layers)
    outputs.push_back(network::run_reference(layer, format, of(layer.source),
                                             layer.type == network::LayerType::add ? &of(layer.with) : nullptr)
                          .out);
  return outputs;
}

// What lies in memory of an output, element by element in its own order.
int found(const arch::LayerPlan& plan, const network::Tensor& like, const std::uint8_t* ddr, int a, int b, int c) {
  if (plan.map) return plan.map->value(ddr, a, b, c);
  const std::uint32_t address = like.shape.sequence ? plan.output.at(a, b) : plan.output.at(a, b, c);
  return like.is_unsigned ? ddr[address] : static_cast<std::int8_t>(ddr[address]);
}

std::string first_difference(const arch::LayerPlan& plan, const network::Tensor& expected, const std::uint8_t* ddr) {
  const network::Shape& shape = expected.shape;
  std::size_t i = 0;
  for (int a = 0; a < (shape.sequence ? shape.steps : shape.channels); ++a)
    for (int b = 0; b < (shape.sequence ? shape.features : shape.height); ++b)
      for (int c = 0; c < (shape.sequence ? 1 : shape.width); ++c) {
        const int value = found(plan, expected, ddr, a, b, c), wanted = expected.at(i++);
        if (value != wanted)
          return fmt::format("{} [{}, {}, {}]: found {}, expected {}", plan.name, a, b, c, value, wanted);
      }
  return {};
}

template <class Config, class Make>
MachineRun run(const network::Network& network, const Config& config, systems::MachineOptions options, Make make) {
  auto compiled = compile::compile(network, config);
  if (const auto* no = std::get_if<compile::Unschedulable>(&compiled)) FAIL(no->layer << ": " << no->reason);
  arch::Program program = std::get<arch::Program>(std::move(compiled));
  const std::vector<arch::LayerPlan> plans = program.layers;
  const std::vector<network::Tensor> expected = reference_outputs(network, config.quantiser);

  MachineRun result;
  options.on_layer = [&](const arch::LayerPlan& plan, const std::uint8_t* ddr, arch::LayerResult&) {
    for (const arch::LayerPlan& stored : plans) {
      const bool here = plan.fused_into < 0 ? stored.layer == plan.layer : stored.layer == plan.fused_into;
      if (here && result.disagreement.empty())
        result.disagreement = first_difference(stored, expected[static_cast<std::size_t>(stored.layer)], ddr);
    }
  };
  const std::unique_ptr<systems::ClockedMachine> machine = make(std::move(program), std::move(options));
  machine->run();
  result.layers = machine->layers();
  return result;
}

}  // namespace

arch::StreamConfig shipped_config(const std::string& name, const std::vector<std::string>& overrides) {
  return arch::load_stream_config(source("configs/systems/" + name + ".yaml"), overrides);
}

arch::TiledConfig shipped_tiled(const std::string& name, const std::vector<std::string>& overrides) {
  return arch::load_tiled_config(source("configs/systems/" + name + ".yaml"), overrides);
}

network::Network shipped_model(const std::string& name) {
  return network::load_network(source("models/" + name + ".yaml"), {});
}

network::Network network_of(const std::string& yaml, std::uint64_t seed) {
  const ScratchDirectory scratch;
  const std::string path = scratch / "network.yaml";
  base::write_file(path, "version: 1\nname: test\n" + yaml);
  network::LoadOptions options;
  options.seed = seed;
  return network::load_network(path, options);
}

base::Cycles MachineRun::cycles() const {
  base::Cycles sum = 0;
  for (const arch::LayerResult& layer : layers) sum += layer.cycles;
  return sum;
}

std::string MachineRun::unaccounted() const {
  for (const arch::LayerResult& layer : layers) {
    const base::Cycles sum = std::accumulate(layer.buckets.begin(), layer.buckets.end(), base::Cycles{0});
    if (sum != layer.cycles) return fmt::format("{}: buckets {} of {}", layer.name, sum, layer.cycles);
  }
  return {};
}

MachineRun run_machine(const network::Network& network, const arch::StreamConfig& config,
                       const memory::MakeDdr& make_ddr) {
  systems::MachineOptions options;
  options.make_ddr = make_ddr;
  return run(network, config, std::move(options), [&](arch::Program program, systems::MachineOptions o) {
    return std::make_unique<systems::StreamMachine>(config, std::move(program), std::move(o));
  });
}

MachineRun run_machine(const network::Network& network, const arch::TiledConfig& config,
                       const arith::QuantisationMethods& methods) {
  const arch::QuantisationConfig& q = config.quantisation;
  const arith::Grain grain = q.grain == arch::MacGrain::fine ? arith::Grain::fine : arith::Grain::coarse;
  network::Network quantised = network;
  network::quantise(quantised, {methods.find(q.method), q.weight_bits, q.activation_bits, grain, config.quantiser}, {});
  compile::declare_sum_order(quantised, config);
  return run(quantised, config, {}, [&](arch::Program program, systems::MachineOptions o) {
    return std::make_unique<systems::TiledMachine>(config, std::move(program), std::move(o));
  });
}

}  // namespace fansim::test

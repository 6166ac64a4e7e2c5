// SPDX-License-Identifier: Apache-2.0
#include "platform/machine.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <numeric>

#include "accelerators/stream/compile/compile.h"
#include "accelerators/stream/compile/prepare.h"
#include "accelerators/stream/hardware/stream_accelerator.h"
#include "accelerators/tiled/compile/compile.h"
#include "accelerators/tiled/compile/engine_choice.h"
#include "accelerators/tiled/hardware/tiled_accelerator.h"
#include "network/codes/quantise.h"
#include "network/reference/reference.h"

namespace fansim::test {

namespace {

std::string source(const std::string& path) { return std::string(FANSIM_SOURCE_DIR) + "/" + path; }

std::vector<network::Tensor> reference_outputs(const network::Network& network, const arith::QuantiserFormat& format) {
  std::vector<network::Tensor> outputs;
  const auto of = [&](int index) -> const network::Tensor& {
    return index < 0 ? network.input : outputs[static_cast<std::size_t>(index)];
  };
  for (const network::Layer& layer : network.layers)
    outputs.push_back(
        network::run_reference(layer, format, of(layer.source), layer.reads_two() ? &of(layer.with) : nullptr).out);
  return outputs;
}

std::string first_difference(const contract::LayerPlan& plan, const network::Tensor& expected,
                             const std::uint8_t* ddr) {
  const network::Shape& shape = expected.shape;
  const std::vector<std::int32_t> found = plan.output->values(ddr);
  if (found.size() != static_cast<std::size_t>(shape.elements()))
    return fmt::format("{}: {} values, expected {}", plan.name, found.size(), shape.elements());
  std::size_t i = 0;
  for (int a = 0; a < (shape.sequence ? shape.steps : shape.channels); ++a)
    for (int b = 0; b < (shape.sequence ? shape.features : shape.height); ++b)
      for (int c = 0; c < (shape.sequence ? 1 : shape.width); ++c) {
        const int value = found[i], wanted = expected.at(i);
        ++i;
        if (value != wanted)
          return fmt::format("{} [{}, {}, {}]: found {}, expected {}", plan.name, a, b, c, value, wanted);
      }
  return {};
}

template <class Config, class Make>
MachineRun run(const network::Network& network, const Config& config, platform::MachineOptions options, Make make) {
  auto compiled = compile_network(network, config);
  if (const auto* no = std::get_if<compile::Unschedulable>(&compiled)) FAIL(no->layer << ": " << no->reason);
  contract::Program program = std::get<contract::Program>(std::move(compiled));
  const std::vector<contract::LayerPlan> plans = program.layers;
  const std::vector<network::Tensor> expected = reference_outputs(network, config.quantiser);

  MachineRun result;
  options.on_layer = [&](const contract::LayerPlan& plan, const std::uint8_t* ddr, contract::LayerResult&) {
    for (const contract::LayerPlan& stored : plans) {
      const bool here = plan.fused_into < 0 ? stored.layer == plan.layer : stored.layer == plan.fused_into;
      if (here && result.disagreement.empty())
        result.disagreement = first_difference(stored, expected[static_cast<std::size_t>(stored.layer)], ddr);
    }
  };
  const std::unique_ptr<platform::ClockedMachine> machine = make(std::move(program), std::move(options));
  machine->run();
  result.layers = machine->layers();
  return result;
}

}  // namespace

stream::Config shipped_config(const std::string& name, const std::vector<std::string>& overrides) {
  return stream::Config::read(source("configs/systems/" + name + ".yaml"), overrides);
}

tiled::Config shipped_tiled(const std::string& name, const std::vector<std::string>& overrides) {
  return tiled::Config::read(source("configs/systems/" + name + ".yaml"), overrides);
}

network::Network shipped_model(const std::string& name) {
  return network::load_network(source("models/" + name + ".yaml"), {});
}

base::Cycles MachineRun::cycles() const {
  base::Cycles sum = 0;
  for (const contract::LayerResult& layer : layers) sum += layer.cycles;
  return sum;
}

std::string MachineRun::unaccounted() const {
  for (const contract::LayerResult& layer : layers) {
    const base::Cycles sum = std::accumulate(layer.buckets.begin(), layer.buckets.end(), base::Cycles{0});
    if (sum != layer.cycles) return fmt::format("{}: buckets {} of {}", layer.name, sum, layer.cycles);
  }
  return {};
}

MachineRun run_machine(const network::Network& network, const stream::Config& config, const memory::MakeDdr& make_ddr) {
  platform::MachineOptions options;
  options.make_ddr = make_ddr;
  network::Network prepared = network;
  stream::prepare(prepared, config, {});
  return run(prepared, config, std::move(options), [&](contract::Program program, platform::MachineOptions o) {
    return std::make_unique<stream::StreamMachine>(config, std::move(program), std::move(o));
  });
}

MachineRun run_machine(const network::Network& network, const tiled::Config& config,
                       const arith::QuantisationMethods& methods,
                       const std::function<void(tiled::TiledBlocks&)>& plant) {
  const tiled::QuantisationConfig& q = config.quantisation;
  const arith::Grain grain = q.grain == tiled::MacGrain::fine ? arith::Grain::fine : arith::Grain::coarse;
  network::Network quantised = network;
  network::quantise(quantised, {methods.find(q.method), q.weight_bits, q.activation_bits, grain, config.quantiser}, {});
  tiled::declare_sum_order(quantised, config);
  return run(quantised, config, {}, [&](contract::Program program, platform::MachineOptions o) {
    auto machine = std::make_unique<tiled::TiledMachine>(config, std::move(program), std::move(o));
    if (plant) plant(machine->top.blocks);
    return machine;
  });
}

}  // namespace fansim::test

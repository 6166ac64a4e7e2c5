// SPDX-License-Identifier: Apache-2.0
#include "cli/accelerator.h"

#include "arith/quantisation/component.h"
#include "compile/tiled/engine_choice.h"
#include "network/quantise.h"
#include "systems/stream_machine.h"
#include "systems/tiled_machine.h"
#include "timing/stream_engine.h"
#include "timing/tiled/tiled_engine.h"

namespace fansim::cli {
namespace {

arith::Grain grain(const arch::QuantisationConfig& quantisation) {
  return quantisation.grain == arch::MacGrain::fine ? arith::Grain::fine : arith::Grain::coarse;
}

}  // namespace

void prepare(network::Network&, const arch::StreamConfig&, const network::LoadOptions&) {}

void prepare(network::Network& network, const arch::TiledConfig& config, const network::LoadOptions& options) {
  const arith::QuantisationMethods methods;
  const arch::QuantisationConfig& q = config.quantisation;
  network::quantise(network, {methods.find(q.method), q.weight_bits, q.activation_bits, grain(q), config.quantiser},
                    options);
  compile::declare_sum_order(network, config);
}

int macs_per_cycle(const arch::StreamConfig& config) { return config.array.macs_per_cycle(); }
int macs_per_cycle(const arch::TiledConfig& config) { return config.conv.macs_per_cycle(); }

Engines engines_of(const arch::StreamConfig& config) {
  return {[&config](arch::Program program, systems::MachineOptions options) {
            return std::make_unique<systems::StreamMachine>(config, std::move(program), std::move(options));
          },
          [&config](arch::Program program, const timing::EngineOptions& options) {
            return timing::run_stream(config, std::move(program), options);
          }};
}

Engines engines_of(const arch::TiledConfig& config) {
  return {[&config](arch::Program program, systems::MachineOptions options) {
            return std::make_unique<systems::TiledMachine>(config, std::move(program), std::move(options));
          },
          [&config](arch::Program program, const timing::EngineOptions& options) {
            return timing::run_tiled(config, std::move(program), options);
          }};
}

}  // namespace fansim::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "arch/accelerator_config.h"
#include "compile/compile.h"
#include "compile/tiled/compile_tiled.h"
#include "estimate/estimate.h"
#include "estimate/tiled/estimate.h"
#include "network/network.h"
#include "systems/clocked_machine.h"
#include "timing/engine_options.h"

// What the subcommands do with a configured accelerator, once for each kind; they visit an arch::AcceleratorConfig.
namespace fansim::cli {

// Brings the loaded network into the accelerator's number format.
void prepare(network::Network& network, const arch::StreamConfig& config, const network::LoadOptions& options);
void prepare(network::Network& network, const arch::TiledConfig& config, const network::LoadOptions& options);

int macs_per_cycle(const arch::StreamConfig& config);
int macs_per_cycle(const arch::TiledConfig& config);

// Both engines. The clocked machine can be elaborated once per process.
struct Engines {
  std::function<std::unique_ptr<systems::ClockedMachine>(arch::Program, systems::MachineOptions)> clocked;
  std::function<std::vector<arch::LayerResult>(arch::Program, const timing::EngineOptions&)> fast;
};
Engines engines_of(const arch::StreamConfig& config);
Engines engines_of(const arch::TiledConfig& config);

}  // namespace fansim::cli

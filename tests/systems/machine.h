// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "arch/result.h"
#include "arch/stream_config.h"
#include "arch/tiled_config.h"
#include "arith/quantisation/component.h"
#include "memory/ddr.h"
#include "network/network.h"

namespace fansim::test {

arch::StreamConfig shipped_config(const std::string& name, const std::vector<std::string>& overrides = {});
arch::TiledConfig shipped_tiled(const std::string& name, const std::vector<std::string>& overrides = {});
network::Network shipped_model(const std::string& name);
network::Network network_of(const std::string& yaml, std::uint64_t seed = 1);

struct MachineRun {
  std::vector<arch::LayerResult> layers;
  std::string disagreement;  // the first difference from the reference executor, empty if there is none

  base::Cycles cycles() const;
  // Empty if every layer's buckets sum to its cycles.
  std::string unaccounted() const;
};

// Compiles the network and runs it on the clocked machine; once per process.
MachineRun run_machine(const network::Network& network, const arch::StreamConfig& config,
                       const memory::MakeDdr& make_ddr = memory::make_ddr);

// The same on the tiled accelerator, the network first brought into its number format by the method of that name.
MachineRun run_machine(const network::Network& network, const arch::TiledConfig& config,
                       const arith::QuantisationMethods& methods = {});

}  // namespace fansim::test

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "accelerators/stream/config/config.h"
#include "accelerators/tiled/config/config.h"
#include "arith/quantisation/component.h"
#include "contract/result.h"
#include "memory/ddr.h"
#include "network/network.h"
#include "support/network_text.h"

namespace fansim::tiled {
struct TiledBlocks;
}  // namespace fansim::tiled

namespace fansim::test {

stream::Config shipped_config(const std::string& name, const std::vector<std::string>& overrides = {});
tiled::Config shipped_tiled(const std::string& name, const std::vector<std::string>& overrides = {});
network::Network shipped_model(const std::string& name);

struct MachineRun {
  std::vector<contract::LayerResult> layers;
  std::string disagreement;  // the first difference from the reference executor, empty if there is none

  base::Cycles cycles() const;
  // Returns an empty text if every layer's buckets sum to its cycles.
  std::string unaccounted() const;
};

// Compiles the network and runs it on the clocked machine; once per process.
MachineRun run_machine(const network::Network& network, const stream::Config& config,
                       const memory::MakeDdr& make_ddr = memory::make_ddr);

// Does the same on the tiled accelerator. The network is first converted to its number format by the method of that
// name; `plant` may break the machine before it runs.
MachineRun run_machine(const network::Network& network, const tiled::Config& config,
                       const arith::QuantisationMethods& methods = {},
                       const std::function<void(tiled::TiledBlocks&)>& plant = {});

}  // namespace fansim::test

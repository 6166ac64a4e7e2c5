// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "arch/program.h"
#include "arch/result.h"
#include "cli/accelerator.h"
#include "cli/reference_chain.h"
#include "network/network.h"
#include "sim/waveform.h"

namespace fansim::cli {

struct SimulationRequest {
  bool values = true;
  bool verify = false;
  std::string dump_folder;  // empty: none
  std::unique_ptr<sim::Waveform> waveform;
  std::string waveform_layer;
};

struct Simulation {
  std::vector<arch::LayerResult> layers;  // every layer of the program, in its order
  std::vector<std::string> differences;   // from the reference executor
};

// Runs the program on the clocked machine, which can be elaborated once per process. Throws Interrupted.
Simulation simulate(const network::Network& network, const MakeMachine& make, arch::Program program,
                    ReferenceChain& reference, SimulationRequest request);

}  // namespace fansim::cli

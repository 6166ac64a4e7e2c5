// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "contract/program.h"
#include "contract/result.h"
#include "network/network.h"
#include "runs/reference_chain.h"
#include "runs/run.h"

namespace fansim::runs {

// Runs the program as `request` says and adds the results to `run`. `waveform` is for the clocked engine, and may be
// null.
void simulate(const Request& request, const network::Network& network, contract::Program program,
              ReferenceChain& reference, std::unique_ptr<sim::Waveform> waveform, Run& run);

}  // namespace fansim::runs

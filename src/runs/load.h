// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "runs/run.h"

// These are the two halves of a run, for callers with more than one input.
namespace fansim::runs {

network::LoadOptions load_options(const Request& request);

// Loads the network with its input. Its numbers are those of its file, not yet the accelerator's.
network::Network load_given(const Request& request, const accelerators::Accelerator& accelerator);

// Does the rest, for a network that the accelerator has prepared.
Run run_prepared(const Request& request, std::unique_ptr<accelerators::Accelerator> accelerator,
                 const network::Network& network);

}  // namespace fansim::runs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/accelerator.h"
#include "network/network.h"
#include "runs/request.h"

// The first stage of a run: the network, its weights and its input.
namespace fansim::runs {

network::LoadOptions load_options(const Request& request);

// Loads the network with its input. Its numbers are those of its file, not yet the accelerator's.
network::Network load_given(const Request& request, const accelerators::Accelerator& accelerator);

}  // namespace fansim::runs

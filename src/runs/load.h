// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "runs/run.h"

// The halves of a run, for those who have more than one input to bring in between.
namespace fansim::runs {

network::LoadOptions load_options(const Request& request);

// The network with its input, its numbers as its file has them: not the accelerator's yet.
network::Network load_given(const Request& request, const accelerators::Accelerator& accelerator);

// The rest, of a network that the accelerator has prepared.
Run run_prepared(const Request& request, std::unique_ptr<accelerators::Accelerator> accelerator,
                 const network::Network& network);

}  // namespace fansim::runs

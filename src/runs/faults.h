// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "accelerators/accelerator.h"
#include "contract/faults.h"
#include "runs/run.h"

namespace fansim::runs {

// Returns the request with the configuration's faults in front of its own, and with an engine that supports them.
// Throws UserError if something that is requested does not go with faults.
Request with_faults(const Request& request, const accelerators::Accelerator& accelerator);

// Throws UserError if the program does not run the layer of a fault.
void check_fault_layers(const std::vector<contract::Fault>& faults, const contract::Program& program);

}  // namespace fansim::runs

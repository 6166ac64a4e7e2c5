// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "accelerators/accelerator.h"
#include "contract/faults.h"
#include "runs/run.h"

namespace fansim::runs {

// The request with the faults of the configuration ahead of its own, and an engine that knows them. UserError if what
// was asked for does not go with them.
Request with_faults(const Request& request, const accelerators::Accelerator& accelerator);

// UserError if a fault's layer is none that the program runs.
void check_fault_layers(const std::vector<contract::Fault>& faults, const contract::Program& program);

}  // namespace fansim::runs

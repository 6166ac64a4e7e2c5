// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/vision/config/config.h"
#include "contract/program.h"

namespace fansim::vision {

// Returns a lower bound of a program's cycles. It adds up the host's steps as docs/timing.md counts them. For each job
// it takes the longest of two: the path of the last result through memory, units and packer, with a cycle for every
// beat before it; and the beats that the memory's bus carries. `memory_known`: the parameters of the memory are the
// program's; otherwise the memory counts as answering at once.
base::Cycles least_cycles(const contract::Program& program, const Config& config, bool memory_known);

}  // namespace fansim::vision

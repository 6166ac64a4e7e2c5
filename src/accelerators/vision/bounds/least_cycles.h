// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/vision/config/config.h"
#include "contract/program.h"

namespace fansim::vision {

// Cycles that a program takes at least: the host's steps one after another, as docs/timing.md counts them, and of each
// job the way of its last result through memory, units and packer, with a cycle for every step before it; or the beats
// that the memory's bus carries. `memory_known`: the memory's parameters are the program's; else it answers at once.
base::Cycles least_cycles(const contract::Program& program, const Config& config, bool memory_known);

}  // namespace fansim::vision

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "accelerators/vision/config/job.h"
#include "contract/host_steps.h"
#include "contract/program.h"

namespace fansim::vision {

// Computes the bytes of the fast engine: what the jobs and the host functions of a layer leave in the program's memory.
void compute_layer(contract::Program& program, const contract::LayerSteps& layer,
                   const contract::ProgressCallback& progress);

// Computes a single job.
void compute_job(const Job& job, std::uint8_t* memory);

}  // namespace fansim::vision

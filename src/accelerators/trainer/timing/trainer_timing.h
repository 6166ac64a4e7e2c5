// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/trainer/config/config.h"
#include "accelerators/trainer/config/job.h"
#include "accelerators/trainer/config/phases.h"
#include "contract/host_steps.h"
#include "contract/result.h"
#include "timing/edge.h"

namespace fansim::trainer {

// Holds what a layer leaves for the next one.
struct Left {
  JobRegisters registers;
  timing::Edge idle_from = timing::kLongAgo;  // edge, counted from the next layer's begin, from which the writing mover
                                              // is idle
};

// Runs the fast engine: computes the cycles and counts of one layer without stepping.
contract::LayerResult run_layer(const Config& config, const contract::Program& program,
                                const contract::LayerSteps& layer, const contract::ProgressCallback& progress,
                                Left& left);

// Returns the edges of a phase between memories on the chip, from the pop of its start to the edge before its end is
// seen.
std::int64_t phase_edges(const Config& config, const Job& job, const Phase& phase);

}  // namespace fansim::trainer

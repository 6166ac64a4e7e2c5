// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "accelerators/tiled/config/code_book.h"
#include "accelerators/tiled/config/look_up.h"
#include "accelerators/tiled/config/tiled_job.h"
#include "contract/program.h"

namespace fansim::tiled {

// Describes a layer of the tiled accelerator: its jobs, what its weights' codes stand for, and the table that its
// outputs pass.
struct LayerJobs final : contract::MachineLayer {
  std::vector<TiledJob> jobs;
  CodeBook codes;
  LookUp look_up;
};

// Returns the jobs of a plan that this accelerator's compiler made; a layer without steps has none.
inline const LayerJobs& layer_jobs_of(const contract::LayerPlan& plan) {
  static const LayerJobs kNone;
  return plan.machine ? dynamic_cast<const LayerJobs&>(*plan.machine) : kNone;
}

}  // namespace fansim::tiled

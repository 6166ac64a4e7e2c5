// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "accelerators/tiled/config/config.h"
#include "accelerators/tiled/config/layer_jobs.h"
#include "contract/host_steps.h"
#include "contract/memory_image.h"

namespace fansim::tiled {

// Computes the values of a program on the tiled accelerator: the outputs of a layer at once, with every sum in the
// engine's order. Time plays no part.
class TiledValues {
 public:
  // Reads and writes `memory`, which must not move.
  TiledValues(const Config& config, contract::MemoryImage& memory) : config_(config), memory_(memory.data()) {}

  // Returns what saturated in the quantiser.
  arith::Saturation layer(const contract::LayerPlan& plan, const contract::ProgressCallback& progress) const;

 private:
  arith::Saturation run(const TiledJob& job, const LayerJobs& layer, const contract::ProgressCallback& progress) const;

  const Config& config_;
  std::uint8_t* const memory_;
};

}  // namespace fansim::tiled

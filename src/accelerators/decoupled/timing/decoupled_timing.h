// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "accelerators/decoupled/config/config.h"
#include "contract/host_steps.h"
#include "contract/program.h"
#include "contract/result.h"
#include "timing/edge.h"

namespace fansim::decoupled {

// What a layer leaves: until when its movers' gaps behind the last burst written (dma.s2mm_gap) reach from the next
// layer's begin on.
struct LayerLeft {
  std::array<timing::Edge, Config::kMostPorts> idle_from{timing::kLongAgo, timing::kLongAgo, timing::kLongAgo,
                                                         timing::kLongAgo};
};

// A layer's cycles, buckets and bytes, from the commands of its jobs (docs/decoupled.md). `left` is of the layer
// before, and then of this one.
contract::LayerResult run_layer(const Config& config, const contract::Program& program,
                                const contract::LayerSteps& layer, LayerLeft& left,
                                const contract::ProgressCallback& progress);

}  // namespace fansim::decoupled

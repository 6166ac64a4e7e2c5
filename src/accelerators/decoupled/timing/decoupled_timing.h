// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "accelerators/decoupled/config/config.h"
#include "contract/host_steps.h"
#include "contract/program.h"
#include "contract/result.h"
#include "timing/edge.h"

namespace fansim::decoupled {

// Holds what a layer leaves for the next one: the edges, counted from the next layer's begin, until which the movers
// are idle after their last written burst (dma.s2mm_gap).
struct LayerLeft {
  std::array<timing::Edge, Config::kMostPorts> idle_from{timing::kLongAgo, timing::kLongAgo, timing::kLongAgo,
                                                         timing::kLongAgo};
};

// Computes a layer's cycles, buckets and bytes from the commands of its jobs (docs/decoupled.md). `left` is what the
// layer before left, and then what this one leaves. Without `replay` the recurrences alone are evaluated.
contract::LayerResult run_layer(const Config& config, const contract::Program& program,
                                const contract::LayerSteps& layer, LayerLeft& left,
                                const contract::ProgressCallback& progress, bool replay = true);

}  // namespace fansim::decoupled

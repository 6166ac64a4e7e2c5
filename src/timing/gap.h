// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "contract/host.h"
#include "timing/edge.h"

namespace fansim::timing {

// Returns whether a gap that a layer leaves, counted in edges from the next layer's begin, outlasts the time that the
// host takes to prepare that layer.
inline bool delays(Edge gap, const contract::HostConfig& host) { return gap > host.layer_setup; }

}  // namespace fansim::timing

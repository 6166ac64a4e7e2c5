// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "contract/host.h"
#include "timing/edge.h"

namespace fansim::timing {

// Whether a gap that a layer leaves, so many edges long from the next one's begin on, outlasts the host's preparing it.
inline bool delays(Edge gap, const contract::HostConfig& host) { return gap > host.layer_setup; }

}  // namespace fansim::timing

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/stream/config/config.h"
#include "accelerators/stream/timing/host_trace.h"
#include "base/units.h"

namespace fansim::stream {

// Returns a lower bound of the cycles of a streamed layer's trace, which serves only to rule out points. It depends
// only on the host, the port's width and the array's columns. `reloads`: weights are the contents of tables.
base::Cycles least_cycles(const HostTrace& trace, const Config& config, bool reloads);

}  // namespace fansim::stream

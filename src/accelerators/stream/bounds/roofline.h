// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/stream/config/config.h"
#include "accelerators/stream/script/script.h"
#include "base/units.h"

namespace fansim::stream {

// Cycles that a streamed layer's script takes at least: a lower bound that rules points out, nothing else. Of the
// configuration it looks at the host, the port's width and the array's columns. `reloads`: weights are the contents of
// tables.
base::Cycles least_cycles(const Script& script, const Config& config, bool reloads);

}  // namespace fansim::stream

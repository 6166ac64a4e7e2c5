// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arch/program.h"
#include "arch/stream_config.h"
#include "base/units.h"

namespace fansim::cli {

// Cycles that a streamed layer's program takes at least: a lower bound that rules points out, nothing else. Of the
// configuration it looks at the host, the port's width and the array's columns. `reloads`: weights are the contents of
// tables.
base::Cycles least_cycles(const arch::Program& program, const arch::StreamConfig& config, bool reloads);

}  // namespace fansim::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arch/program.h"
#include "arch/stream_config.h"
#include "base/units.h"

namespace fansim::cli {

// Cycles that a streamed layer's program takes at least: a lower bound that rules points out, nothing else. Of the
// configuration it looks at the host and the port's width only.
base::Cycles least_cycles(const arch::Program& program, const arch::StreamConfig& config);

}  // namespace fansim::cli

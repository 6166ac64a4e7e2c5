// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "arch/program.h"
#include "arch/result.h"
#include "arch/stream_config.h"
#include "timing/engine_options.h"

namespace fansim::timing {

// Runs a program on the streaming accelerator without stepping through its cycles: the results of
// systems::StreamMachine, every one of them (docs/fast_engine.md). Ends early when stop_requested says so.
std::vector<arch::LayerResult> run_stream(const arch::StreamConfig& config, arch::Program program,
                                          const EngineOptions& options);

}  // namespace fansim::timing

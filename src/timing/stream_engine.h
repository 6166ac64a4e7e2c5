// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "arch/program.h"
#include "arch/result.h"
#include "arch/stream_config.h"

namespace fansim::timing {

struct StreamOptions {
  // At each layer's end: look at the outputs in DDR, complete the result.
  std::function<void(const arch::LayerPlan&, const std::uint8_t* ddr, arch::LayerResult&)> on_layer;
  std::function<void(double fraction)> on_progress;
  std::function<bool()> stop_requested;
  bool values = true;
};

// Runs a program on the streaming accelerator without stepping through its cycles: the results of
// systems::StreamMachine, every one of them (docs/fast_engine.md). Ends early when stop_requested says so.
std::vector<arch::LayerResult> run_stream(const arch::StreamConfig& config, arch::Program program,
                                          const StreamOptions& options);

}  // namespace fansim::timing

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/stream/config/config.h"
#include "accelerators/stream/replay/tables.h"
#include "accelerators/stream/timing/host_trace.h"
#include "contract/host_steps.h"
#include "contract/result.h"
#include "timing/edge.h"

namespace fansim::stream {

// The timing of one layer on the streaming accelerator: all results of the clocked machine but its outputs, without
// stepping through its cycles (docs/fast_engine.md). `replay`: off, every recurrence is evaluated by itself; the
// results are the same. `gap_until`: the edge, counted from the layer's begin, before which the writer pushes no burst
// because of the layer before; on return the same for the next layer.
contract::LayerResult run_stream_layer(const Config& config, const contract::Program& program,
                                       const contract::LayerSteps& layer, timing::Edge& gap_until, bool replay,
                                       const contract::ProgressCallback& progress = {});
// Cycles and bytes alone, for callers that need no buckets. `tables`: what such calls have seen; they add to it.
contract::LayerResult time_stream_layer(const Config& config, const HostTrace& trace, timing::Edge& gap_until,
                                        ReplayTables& tables);

}  // namespace fansim::stream

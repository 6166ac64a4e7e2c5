// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/stream/config/config.h"
#include "accelerators/stream/script/script.h"
#include "accelerators/stream/timing/known.h"
#include "contract/host_steps.h"
#include "contract/result.h"
#include "timing/edge.h"

namespace fansim::stream {

// The timing of one layer on the streaming accelerator: the results of the clocked machine but for the outputs, every
// one of them, without stepping through its cycles (docs/fast_engine.md). `gap_until`: the edge, counted from the
// layer's begin, before which the writer pushes no burst because of the layer before; then the same for the next.
contract::LayerResult run_stream_layer(const Config& config, const contract::Program& program,
                                       const contract::LayerSteps& layer, timing::Edge& gap_until,
                                       const contract::Pulse& pulse = {});
// Cycles and bytes alone, for who asks for no buckets. `known`: what such calls have seen; they add to it.
contract::LayerResult time_stream_layer(const Config& config, const Script& script, timing::Edge& gap_until,
                                        Known& known);

}  // namespace fansim::stream

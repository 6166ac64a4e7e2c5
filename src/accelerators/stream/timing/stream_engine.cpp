// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/timing/stream_engine.h"

#include <utility>

#include "accelerators/stream/timing/stream_layer.h"
#include "contract/result_of.h"

namespace fansim::stream {

namespace {

contract::LayerResult run(StreamLayer& timed, const contract::Program& program, const contract::LayerSteps& layer,
                          timing::Edge& gap_until, const contract::Pulse& pulse) {
  timed.wait_gap(gap_until);
  contract::follow(program, layer, timed, pulse);
  contract::LayerResult result = contract::result_of(*layer.plan);
  timed.finish(result);
  gap_until = timed.gap_until();
  return result;
}

}  // namespace

contract::LayerResult run_stream_layer(const Config& config, const contract::Program& program,
                                       const contract::LayerSteps& layer, timing::Edge& gap_until,
                                       const contract::Pulse& pulse) {
  StreamLayer timed(config, true);
  return run(timed, program, layer, gap_until, pulse);
}

contract::LayerResult time_stream_layer(const Config& config, const contract::Program& program,
                                        const contract::LayerSteps& layer, timing::Edge& gap_until, KnownJobs& known) {
  StreamLayer timed(config, false, std::exchange(known, {}));
  contract::LayerResult result = run(timed, program, layer, gap_until, {});
  known = timed.take_known();
  return result;
}

}  // namespace fansim::stream

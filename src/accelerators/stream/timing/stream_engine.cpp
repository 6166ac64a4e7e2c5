// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/timing/stream_engine.h"

#include <utility>

#include "accelerators/stream/timing/stream_layer.h"
#include "contract/result_of.h"

namespace fansim::stream {

namespace {

void follow(StreamLayer& timed, timing::Edge& gap_until, const contract::Pulse& pulse, contract::LayerResult& result) {
  timed.wait_gap(gap_until);
  timed.follow(pulse);
  timed.finish(result);
  gap_until = timed.gap_until();
}

}  // namespace

contract::LayerResult run_stream_layer(const Config& config, const contract::Program& program,
                                       const contract::LayerSteps& layer, timing::Edge& gap_until,
                                       const contract::Pulse& pulse) {
  const Script script = read_script(program, layer, config);
  StreamLayer timed(config, script, true);
  contract::LayerResult result = contract::result_of(*layer.plan);
  follow(timed, gap_until, pulse, result);
  return result;
}

contract::LayerResult time_stream_layer(const Config& config, const Script& script, timing::Edge& gap_until,
                                        Known& known) {
  StreamLayer timed(config, script, false, std::exchange(known, {}));
  contract::LayerResult result;
  follow(timed, gap_until, {}, result);
  known = timed.take_known();
  return result;
}

}  // namespace fansim::stream

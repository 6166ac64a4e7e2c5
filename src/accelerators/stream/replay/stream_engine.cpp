// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/replay/stream_engine.h"

#include <utility>

#include "accelerators/stream/replay/replayed_layer.h"
#include "contract/result_of.h"

namespace fansim::stream {

namespace {

void follow(StreamLayer& timed, timing::Edge& gap_until, const contract::ProgressCallback& progress,
            contract::LayerResult& result) {
  timed.wait_gap(gap_until);
  timed.follow(progress);
  timed.finish(result);
  gap_until = timed.gap_until();
}

}  // namespace

contract::LayerResult run_stream_layer(const Config& config, const contract::Program& program,
                                       const contract::LayerSteps& layer, timing::Edge& gap_until, bool replay,
                                       const contract::ProgressCallback& progress) {
  const HostTrace trace = host_trace(program, layer, config);
  contract::LayerResult result = contract::result_of(*layer.plan);
  if (replay) {
    ReplayedLayer timed(config, trace, true);
    follow(timed, gap_until, progress, result);
  } else {
    StreamLayer timed(config, trace);
    follow(timed, gap_until, progress, result);
  }
  return result;
}

contract::LayerResult time_stream_layer(const Config& config, const HostTrace& trace, timing::Edge& gap_until,
                                        ReplayTables& tables) {
  ReplayedLayer timed(config, trace, false, std::exchange(tables, {}));
  contract::LayerResult result;
  follow(timed, gap_until, {}, result);
  tables = timed.take_tables();
  return result;
}

}  // namespace fansim::stream

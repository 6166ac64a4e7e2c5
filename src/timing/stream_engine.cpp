// SPDX-License-Identifier: Apache-2.0
#include "timing/stream_engine.h"

#include <optional>

#include "arch/result_of.h"
#include "timing/stream_layer.h"
#include "timing/stream_values.h"

namespace fansim::timing {

std::vector<arch::LayerResult> run_stream(const arch::StreamConfig& config, arch::Program program,
                                          const EngineOptions& options) {
  constexpr std::size_t kReport = 1 << 12;  // steps
  using Kind = arch::HostOp::Kind;
  std::vector<arch::LayerResult> results;
  std::optional<StreamLayer> layer;
  std::optional<StreamValues> values;
  if (options.values) values.emplace(config, program.memory);
  Edge gap_until = kLongAgo;
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    const arch::HostOp& op = program.ops[i];
    if (i % kReport == 0) {
      if (options.on_progress) options.on_progress(static_cast<double>(i) / static_cast<double>(program.ops.size()));
      if (options.stop_requested && options.stop_requested()) break;
    }
    if (op.kind == Kind::begin_layer) {
      layer.emplace(config);
      layer->wait_gap(gap_until);
    } else if (op.kind == Kind::end_layer) {
      const arch::LayerPlan& plan = program.layers[op.value];
      arch::LayerResult result = arch::result_of(plan);
      layer->finish(result);
      gap_until = layer->gap_until();
      layer.reset();
      if (options.on_layer) options.on_layer(plan, program.memory.data(), result);
      results.push_back(std::move(result));
    } else if (layer) {
      layer->step(op);
      if (values) values->step(op);
    }
  }
  return results;
}

}  // namespace fansim::timing

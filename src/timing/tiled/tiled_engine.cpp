// SPDX-License-Identifier: Apache-2.0
#include "timing/tiled/tiled_engine.h"

#include "arch/result_of.h"
#include "timing/tiled/tiled_layer.h"
#include "timing/tiled/tiled_values.h"

namespace fansim::timing {

using Kind = arch::HostOp::Kind;

arch::LayerResult run_tiled_layer(const arch::TiledConfig& config, const arch::LayerPlan& plan,
                                  const std::vector<arch::HostOp>& steps, TiledGaps& gaps) {
  TiledLayer layer(config, plan, gaps);
  for (const arch::HostOp& step : steps) layer.step(step);
  arch::LayerResult result = arch::result_of(plan);
  layer.finish(result);
  gaps = layer.gaps();
  return result;
}

namespace {

// Layer by layer; `ended` gives a layer's plan and result, and says whether to go on.
template <class Ended>
std::vector<arch::LayerResult> each_layer(const arch::TiledConfig& config, const arch::Program& program,
                                          Ended&& ended) {
  std::vector<arch::LayerResult> results;
  std::vector<arch::HostOp> steps;
  TiledGaps gaps;
  Edge idle = 0;  // from the layer's end to the next one's begin
  for (const arch::HostOp& op : program.ops) {
    if (op.kind == Kind::align) {
      // Layers begin at multiples of op.value.
      const Edge cycles = results.empty() ? 0 : results.back().cycles;
      idle = base::ceil_div(cycles, Edge{op.value}) * op.value - cycles;
    } else if (op.kind == Kind::begin_layer) {
      steps.clear();
      gaps = {gaps.inputs - idle, gaps.weights - idle};
    } else if (op.kind == Kind::end_layer) {
      const arch::LayerPlan& plan = program.layers[op.value];
      results.push_back(run_tiled_layer(config, plan, steps, gaps));
      if (!ended(plan, results.back())) break;
    } else {
      steps.push_back(op);
    }
  }
  return results;
}

}  // namespace

std::vector<arch::LayerResult> run_tiled(const arch::TiledConfig& config, const arch::Program& program) {
  return each_layer(config, program, [](const arch::LayerPlan&, const arch::LayerResult&) { return true; });
}

std::vector<arch::LayerResult> run_tiled(const arch::TiledConfig& config, arch::Program program,
                                         const EngineOptions& options) {
  const TiledValues values(config, program.memory);
  std::int64_t points = 0, done = 0;
  for (const arch::LayerPlan& plan : program.layers) points += plan.pass_columns;
  return each_layer(config, program, [&](const arch::LayerPlan& plan, arch::LayerResult& result) {
    if (options.values) values.layer(plan);
    if (options.on_layer) options.on_layer(plan, program.memory.data(), result);
    done += plan.pass_columns;
    if (options.on_progress) options.on_progress(static_cast<double>(done) / static_cast<double>(points));
    return !(options.stop_requested && options.stop_requested());
  });
}

}  // namespace fansim::timing

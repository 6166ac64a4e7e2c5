// SPDX-License-Identifier: Apache-2.0
#include "timing/tiled/tiled_engine.h"

#include "timing/tiled/tiled_layer.h"

namespace fansim::timing {

using Kind = arch::HostOp::Kind;

arch::LayerResult run_tiled_layer(const arch::TiledConfig& config, const arch::LayerPlan& plan,
                                  const std::vector<arch::HostOp>& steps, TiledGaps& gaps) {
  TiledLayer layer(config, plan, gaps);
  for (const arch::HostOp& step : steps) layer.step(step);
  arch::LayerResult result;
  result.name = plan.name;
  result.type = plan.type;
  result.layer = plan.layer;
  result.macs = plan.macs;
  layer.finish(result);
  gaps = layer.gaps();
  return result;
}

std::vector<arch::LayerResult> run_tiled(const arch::TiledConfig& config, const arch::Program& program) {
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
      results.push_back(run_tiled_layer(config, program.layers[op.value], steps, gaps));
    } else {
      steps.push_back(op);
    }
  }
  return results;
}

}  // namespace fansim::timing

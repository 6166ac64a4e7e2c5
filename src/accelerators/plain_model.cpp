// SPDX-License-Identifier: Apache-2.0
#include "accelerators/plain_model.h"

#include "accelerators/registry.h"
#include "base/error.h"

namespace fansim::accelerators {
namespace {

explore::Outcome scored(const Accelerator& accelerator, network::Network network) {
  const estimate::Estimate cost = accelerator.estimate();
  if (!cost.fit.buildable) return explore::Outcome::misfit(cost.fit.reasons.back());
  accelerator.prepare(network, timing_only());
  compile::Options options;
  options.values = options.memory = false;
  compile::Compiled compiled = accelerator.compile(network, options);
  if (const auto* misfit = std::get_if<compile::Unschedulable>(&compiled))
    return explore::Outcome::misfit(misfit->layer.empty() ? misfit->reason : misfit->layer + ": " + misfit->reason);
  timing::EngineOptions engine;
  engine.values = false;
  LayerTime sum;
  for (const contract::LayerResult& layer : accelerator.run(std::move(std::get<contract::Program>(compiled)), engine))
    sum += {layer.cycles, layer.macs, layer.bytes_read, layer.bytes_written, {}};
  const contract::ConfigBase& config = accelerator.config();
  return {explore::Outcome::Kind::scored,
          metrics_of(sum, config.clock_hz(), config.device, cost.total, cost.power.total_w(), cost.fmax.hz,
                     accelerator.pictures()),
          ""};
}

}  // namespace

explore::Outcome PlainModel::evaluate(const explore::Point& point) const {
  try {
    return scored(*read_accelerator(space_.config, space_.overrides(point)), network());
  } catch (const base::UserError& error) {
    return explore::Outcome::misfit(error.what());
  }
}

}  // namespace fansim::accelerators

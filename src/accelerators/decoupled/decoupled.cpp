// SPDX-License-Identifier: Apache-2.0
#include "accelerators/decoupled/decoupled.h"

#include <algorithm>
#include <utility>

#include "accelerators/configured_accelerator.h"
#include "accelerators/decoupled/compile/compile.h"
#include "accelerators/decoupled/compile/prepare.h"
#include "accelerators/decoupled/config/account.h"
#include "accelerators/decoupled/config/command.h"
#include "accelerators/decoupled/estimate/estimate.h"
#include "accelerators/decoupled/hardware/decoupled_machine.h"
#include "accelerators/decoupled/mapping.h"
#include "accelerators/decoupled/timing/decoupled_timing.h"
#include "accelerators/decoupled/values/decoupled_values.h"
#include "timing/gap.h"
#include "timing/layers_ahead.h"
#include "timing/run_program.h"

namespace fansim::decoupled {
namespace {

class Decoupled final : public accelerators::ConfiguredAccelerator<Config> {
 public:
  using ConfiguredAccelerator::ConfiguredAccelerator;

  int macs_per_cycle() const override { return base::ceil_div(config_.array.macs_per_step(), config_.array.interval); }
  int pictures() const override { return config_.array.batch; }
  const contract::Account& account() const override { return decoupled::account(); }

  int sum_bits() const override { return config_.quantiser.accumulator_bits; }

  std::optional<network::Coding> coding() const override {
    if (config_.data.type == DataType::float32) return std::nullopt;
    return network::Coding{"dorefa", config_.data.bits(), config_.data.bits(), ""};
  }
  void prepare(network::Network& network, const network::LoadOptions& options) const override {
    decoupled::prepare(network, config_, options);
  }
  compile::Compiled compile(const network::Network& network, const compile::Options& options) const override {
    return compile_network(network, config_, options);
  }
  estimate::Estimate estimate() const override { return cost_of(config_); }
  std::optional<contract::Mapping> mapping(const contract::Program& program,
                                           const contract::LayerSteps& steps) const override {
    return decoupled::mapping_of(config_, program, steps);
  }

  std::vector<contract::LayerResult> run(contract::Program program,
                                         const timing::EngineOptions& options) const override {
    using Ahead = timing::LayersAhead<LayerLeft>;
    Ahead ahead(program, options.timing, {},
                [&](const contract::LayerSteps& layer, LayerLeft left, const contract::ProgressCallback& progress) {
                  contract::LayerResult result = run_layer(config_, program, layer, left, progress, options.replay);
                  return Ahead::Timed{std::move(result), left};
                });
    LayerLeft left;
    return timing::run_program(
        program, options,
        [&](const contract::LayerSteps& layer, const contract::ProgressCallback& progress) {
          for (timing::Edge& idle : left.idle_from) idle = std::max(timing::kLongAgo, idle - layer.waited);
          const timing::Edge last = *std::max_element(left.idle_from.begin(), left.idle_from.end());
          Ahead::Timed timed = ahead.next(layer, left, timing::delays(last, config_.host), progress);
          left = timed.left;
          return std::move(timed.result);
        },
        [&](const contract::LayerSteps& layer, const contract::ProgressCallback& progress,
            contract::LayerResult& result) {
          const arith::Saturation seen = compute_layer(config_, *layer.plan, program.memory, progress);
          if (config_.data.type != DataType::float32) result.saturation = seen;
        });
  }

  std::unique_ptr<platform::ClockedMachine> machine(contract::Program program,
                                                    platform::MachineOptions options) const override {
    return std::make_unique<DecoupledMachine>(config_, std::move(program), std::move(options));
  }
};

accelerators::RegisterTable registers() {
  return {"start",
          "the decoupled accelerator's",
          {{"register", "offset", "meaning"},
           {"job", "0", "which of the layer's lists of commands"},
           {"start", std::to_string(JobRegisters().start_offset()), "a write starts the job"}}};
}

}  // namespace

accelerators::Kind kind() {
  return {Config::kSystem,
          "units that load, compute and store tiles, coupled by tokens alone",
          accelerators::read_configured<Decoupled>,
          accelerators::blocks_of<Config>,
          registers,
          account};
}

}  // namespace fansim::decoupled

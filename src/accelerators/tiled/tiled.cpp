// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/tiled.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "accelerators/configured_accelerator.h"
#include "accelerators/tables_by_key.h"
#include "accelerators/tiled/bounds/tiled_model.h"
#include "accelerators/tiled/compile/compile.h"
#include "accelerators/tiled/compile/prepare.h"
#include "accelerators/tiled/config/account.h"
#include "accelerators/tiled/config/layer_jobs.h"
#include "accelerators/tiled/config/tiled_job.h"
#include "accelerators/tiled/estimate/estimate.h"
#include "accelerators/tiled/hardware/tiled_accelerator.h"
#include "accelerators/tiled/mapping.h"
#include "accelerators/tiled/replay/replayed_layer.h"
#include "accelerators/tiled/timing/tiled_engine.h"
#include "accelerators/tiled/values/tiled_values.h"
#include "arith/quantisation/component.h"
#include "base/error.h"
#include "base/units.h"
#include "timing/gap.h"
#include "timing/layers_ahead.h"
#include "timing/run_program.h"

namespace fansim::tiled {
namespace {

// The most states and transitions of paths that a run keeps while no layer uses them.
constexpr std::size_t kMostKept = 1 << 22;

class Tiled final : public accelerators::ConfiguredAccelerator<Config> {
 public:
  using ConfiguredAccelerator::ConfiguredAccelerator;

  int macs_per_cycle() const override { return config_.conv.macs_per_cycle(); }

  const contract::Account& account() const override { return tiled::account(); }

  std::optional<network::Coding> coding() const override {
    const QuantisationConfig& q = config_.quantisation;
    return network::Coding{q.method, q.weight_bits, q.activation_bits, ""};
  }
  void prepare(network::Network& network, const network::LoadOptions& options) const override {
    tiled::prepare(network, config_, options);
  }
  accelerators::WeightsDrawn weights_drawn() const override { return accelerators::WeightsDrawn::by_machine; }
  compile::Compiled compile(const network::Network& network, const compile::Options& options) const override {
    return tiled::compile_network(network, config_, options);
  }
  estimate::Estimate estimate() const override { return tiled::cost_of(config_); }
  std::optional<contract::Mapping> mapping(const contract::Program& program,
                                           const contract::LayerSteps& steps) const override {
    return tiled::mapping_of(config_, program, steps);
  }

  // Layers begin where the clocks meet.
  std::vector<contract::LayerResult> run(contract::Program program,
                                         const timing::EngineOptions& options) const override {
    using Ahead = timing::LayersAhead<TiledGaps>;
    const TiledValues values(config_, program.memory);
    accelerators::TablesByKey<PathTables> tables(kMostKept);
    // Transition tables of paths serve layers best whose rows have the same length as those of the layer that filled
    // them. If there are values, they are needed for the next layer first.
    Ahead::Kin kin;
    if (!options.values)
      kin = [](const contract::LayerPlan& plan) {
        const std::vector<TiledJob>& jobs = layer_jobs_of(plan).jobs;
        return jobs.empty() ? 0 : jobs.front().in_row;  // none: the host computes the layer
      };
    Ahead ahead(
        program, options.timing, {},
        [&](const contract::LayerSteps& layer, TiledGaps gaps, const contract::ProgressCallback& progress) {
          if (!options.replay) {
            contract::LayerResult result = run_tiled_layer(config_, program, layer, gaps, progress);
            return Ahead::Timed{std::move(result), gaps};
          }
          PathTables own = tables.take("");
          contract::LayerResult result = replay_tiled_layer(config_, program, layer, gaps, own, progress);
          tables.give("", std::move(own));
          return Ahead::Timed{std::move(result), gaps};
        },
        kin);
    TiledGaps gaps;
    timing::Edge cycles = 0;  // of the layer before
    return timing::run_program(
        program, options,
        [&](const contract::LayerSteps& layer, const contract::ProgressCallback& progress) {
          const timing::Edge idle = base::round_up(cycles, timing::Edge{layer.align}) - cycles + layer.waited;
          gaps = {gaps.inputs - idle, gaps.weights - idle};
          const bool delays = timing::delays(std::max(gaps.inputs, gaps.weights), config_.host);
          Ahead::Timed timed = ahead.next(layer, gaps, delays, progress);
          gaps = timed.left;
          cycles = timed.result.cycles;
          return std::move(timed.result);
        },
        [&](const contract::LayerSteps& layer, const contract::ProgressCallback& progress,
            contract::LayerResult& result) { result.saturation = values.layer(*layer.plan, progress); });
  }

  std::unique_ptr<platform::ClockedMachine> machine(contract::Program program,
                                                    platform::MachineOptions options) const override {
    return std::make_unique<TiledMachine>(config_, std::move(program), std::move(options));
  }

  std::unique_ptr<accelerators::AcceleratorModel> model(const explore::Space& space,
                                                        const std::string& network) const override {
    const arith::QuantisationMethods methods;
    for (const explore::Parameter& parameter : space.parameters) {
      if (parameter.path != "quantisation.method") continue;
      for (const explore::Value& method : parameter.values)
        if (!methods.find(method.text))
          throw base::UserError(method.where.value_or(parameter.where), methods.unknown(method.text));
    }
    return std::make_unique<TiledModel>(space, config_, network);
  }
};

struct JobCells {
  std::vector<std::vector<std::string>> cells{{"field", "word", "bits", "meaning"}};
  void bits(const char* name, int, int word, int low, int bits, const char* doc) {
    cells.push_back({name, std::to_string(word),
                     bits == 1 ? std::to_string(low) : fmt::format("{}..{}", low + bits - 1, low), doc});
  }
  void number(const char* name, int value, int word, int low, int size, const char* doc) {
    bits(name, value, word, low, size, doc);
  }
  void address(const char* name, std::uint32_t, int word, const char* doc) {
    cells.push_back({name, std::to_string(word), "31..0", doc});
  }
};

accelerators::RegisterTable registers() {
  JobCells visitor;
  Instruction().visit(visitor);
  TiledJob().visit(visitor);
  return {"instruction", "the tiled accelerator's", std::move(visitor.cells)};
}

}  // namespace

accelerators::Kind kind() {
  return {Config::kSystem,
          "tiles of tm x tn channels, an instruction per layer, loads that the hardware makes",
          accelerators::read_configured<Tiled>,
          accelerators::blocks_of<Config>,
          registers,
          account};
}

}  // namespace fansim::tiled

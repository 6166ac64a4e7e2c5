// SPDX-License-Identifier: Apache-2.0
#include "cli/simulate.h"

#include <fmt/format.h>

#include <functional>
#include <map>

#include "cli/engine_difference.h"
#include "cli/interrupt.h"
#include "cli/layer_output.h"
#include "cli/progress.h"

namespace fansim::cli {
namespace {

using network::Layer;
using network::LayerType;

// Looks at the outputs in DDR as layers end. A pooling fused into a convolution and a flattened tensor are no work of
// their own for the machine: their outputs are there when that of the layer before is.
class Observer {
 public:
  Observer(const network::Network& network, const arch::Program& program, ReferenceChain& reference,
           const SimulationRequest& request)
      : network_(network), reference_(reference), verify_(request.verify), dump_folder_(request.dump_folder) {
    for (const arch::LayerPlan& plan : program.layers) plans_[plan.layer] = plan;
  }

  void layer_done(const arch::LayerPlan& plan, const std::uint8_t* ddr) {
    stop_if_interrupted();
    const int stored = plan.fused_into < 0 ? plan.layer : plan.fused_into;
    for (const auto& [index, there] : plans_) {
      if (root(index) == stored) look(index, there, ddr);
    }
  }

  // The row of a layer that never ran by itself, or the rest of one that did.
  void complete(arch::LayerResult& result) const {
    const auto seen = seen_.find(result.layer);
    if (seen == seen_.end()) return;
    result.output_hash = seen->second.output_hash;
    result.accumulator_overflows = seen->second.accumulator_overflows;
  }

  std::vector<std::string> differences;

 private:
  const Layer& at(int index) const { return network_.layers[static_cast<std::size_t>(index)]; }

  int root(int index) const {
    while (index >= 0 && at(index).type == LayerType::flatten) index = at(index).source;
    return index;
  }

  void look(int index, const arch::LayerPlan& plan, const std::uint8_t* ddr) {
    const Layer& layer = at(index);
    const network::Tensor output = read_output(layer, plan, ddr);
    arch::LayerResult& seen = seen_[index];
    seen.output_hash = hash_of(output);
    if (!dump_folder_.empty()) dump(dump_folder_, layer.name, output);
    if (!verify_) return;
    const network::Result& expected = reference_.of(index);
    seen.accumulator_overflows = expected.statistics.accumulator_overflows;
    if (const auto difference = first_difference(output, expected.out))
      differences.push_back(fmt::format("{}: {}", layer.name, *difference));
  }

  const network::Network& network_;
  ReferenceChain& reference_;
  const bool verify_;
  const std::string dump_folder_;
  std::map<int, arch::LayerPlan> plans_;
  std::map<int, arch::LayerResult> seen_;
};

std::vector<arch::LayerResult> every_layer(const std::vector<arch::LayerPlan>& plans,
                                           const std::vector<arch::LayerResult>& ran, const Observer& observer) {
  std::vector<arch::LayerResult> all;
  for (const arch::LayerPlan& plan : plans) {
    arch::LayerResult result;
    result.name = plan.name;
    result.type = plan.type;
    result.layer = plan.layer;
    for (const arch::LayerResult& one : ran) {
      if (one.layer == plan.layer) result = one;
    }
    observer.complete(result);
    all.push_back(result);
  }
  return all;
}

using Look = std::function<void(const arch::LayerPlan&, const std::uint8_t* ddr, arch::LayerResult&)>;

std::vector<arch::LayerResult> run_fast(const Engines& engines, arch::Program program, bool values, Look look) {
  Progress progress;
  timing::EngineOptions options;
  options.values = values;
  options.on_layer = std::move(look);
  options.on_progress = [&progress](double fraction) { progress.show(fraction); };
  options.stop_requested = interrupted;
  std::vector<arch::LayerResult> layers = engines.fast(std::move(program), options);
  stop_if_interrupted();
  return layers;
}

std::vector<arch::LayerResult> run_clocked(const Engines& engines, arch::Program program, SimulationRequest& request,
                                           Look look) {
  Progress progress;
  systems::MachineOptions options;
  options.values = request.values;
  options.on_layer = std::move(look);
  options.on_progress = [&progress](double fraction) { progress.show(fraction); };
  options.stop_requested = interrupted;
  options.waveform = std::move(request.waveform);
  options.waveform_layer = request.waveform_layer;
  const std::unique_ptr<systems::ClockedMachine> machine = engines.clocked(std::move(program), std::move(options));
  machine->run();
  stop_if_interrupted();
  return machine->layers();
}

std::vector<arch::LayerResult> run(Engine engine, const Engines& engines, arch::Program program,
                                   SimulationRequest& request, Look look) {
  if (engine == Engine::clocked) return run_clocked(engines, std::move(program), request, std::move(look));
  return run_fast(engines, std::move(program), request.values, std::move(look));
}

}  // namespace

const char* word(Engine engine) { return engine == Engine::fast ? "fast" : "clocked"; }

Simulation simulate(const network::Network& network, const Engines& engines, arch::Program program,
                    ReferenceChain& reference, SimulationRequest request) {
  const std::vector<arch::LayerPlan> plans = program.layers;
  Observer observer(network, program, reference, request);
  EngineDifference both(program.memory.size());
  const bool compare_bytes = request.cross_check && request.values;
  std::vector<arch::LayerResult> other;
  if (request.cross_check) {
    const Engine second = request.engine == Engine::fast ? Engine::clocked : Engine::fast;
    Look remember;
    if (compare_bytes) remember = [&both](const auto&, const std::uint8_t* ddr, auto&) { both.remember(ddr); };
    other = run(second, engines, program, request, remember);
  }
  Look look;
  if (request.values) {
    look = [&](const arch::LayerPlan& plan, const std::uint8_t* ddr, arch::LayerResult&) {
      observer.layer_done(plan, ddr);
      if (compare_bytes) both.compare(plan, ddr);
    };
  }
  const std::vector<arch::LayerResult> ran = run(request.engine, engines, std::move(program), request, look);
  std::vector<std::string> differences = std::move(observer.differences);
  if (request.cross_check) {
    const bool fast = request.engine == Engine::fast;
    for (std::string& difference : both.of(fast ? other : ran, fast ? ran : other))
      differences.push_back(std::move(difference));
  }
  return {every_layer(plans, ran, observer), std::move(differences), compare_bytes};
}

}  // namespace fansim::cli

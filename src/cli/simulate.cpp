// SPDX-License-Identifier: Apache-2.0
#include "cli/simulate.h"

#include <fmt/format.h>

#include <map>

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

}  // namespace

Simulation simulate(const network::Network& network, const MakeMachine& make, arch::Program program,
                    ReferenceChain& reference, SimulationRequest request) {
  const std::vector<arch::LayerPlan> plans = program.layers;
  Observer observer(network, program, reference, request);
  Progress progress;
  systems::MachineOptions options;
  options.values = request.values;
  if (request.values) {
    options.on_layer = [&observer](const arch::LayerPlan& plan, const std::uint8_t* ddr, arch::LayerResult&) {
      observer.layer_done(plan, ddr);
    };
  }
  options.on_progress = [&progress](double fraction) { progress.show(fraction); };
  options.stop_requested = interrupted;
  options.waveform = std::move(request.waveform);
  options.waveform_layer = request.waveform_layer;

  const std::unique_ptr<systems::ClockedMachine> machine = make(std::move(program), std::move(options));
  machine->run();
  stop_if_interrupted();
  return {every_layer(plans, machine->layers(), observer), std::move(observer.differences)};
}

}  // namespace fansim::cli

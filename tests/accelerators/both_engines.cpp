// SPDX-License-Identifier: Apache-2.0
#include "accelerators/both_engines.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/hash.h"
#include "network/network.h"
#include "platform/clocked_machine.h"
#include "runs/layer_differences.h"
#include "runs/observer.h"
#include "runs/reference_chain.h"

namespace fansim::test {

namespace {

// Uses the product's own comparison, and also checks that buckets add up and that the whole memory is the same.
std::string first_difference(const contract::Account& account, const contract::LayerResult& clocked,
                             const contract::LayerResult& fast) {
  std::string text;
  const base::Cycles sum = std::accumulate(fast.buckets.begin(), fast.buckets.end(), base::Cycles{0});
  if (sum != fast.cycles) text += fmt::format("{}: buckets sum to {} of {} cycles; ", fast.name, sum, fast.cycles);
  for (const std::string& line : runs::layer_differences(account, {clocked}, {fast})) text += line + "; ";
  if (text.empty() && clocked.output_hash != fast.output_hash) text = clocked.name + ": memory differs";
  return text;
}

// Returns where a run without values differs from one with them.
std::string timed_difference(const std::string& network_file, const accelerators::Accelerator& accelerator,
                             const std::vector<contract::LayerResult>& valued) {
  network::LoadOptions load;
  load.values = false;
  network::Network network = network::load_network(network_file, load);
  accelerator.prepare(network, load);
  compile::Options options;
  options.values = options.memory = false;
  auto compiled = accelerator.compile(network, options);
  if (const auto* no = std::get_if<compile::Unschedulable>(&compiled))
    return no->layer + " does not fit without values: " + no->reason;
  timing::EngineOptions engine;
  engine.values = false;
  const auto timed = accelerator.run(std::get<contract::Program>(std::move(compiled)), engine);
  const auto lines = runs::layer_differences(accelerator.account(), valued, timed, kTimed);
  return lines.empty() ? "" : lines.front();
}

}  // namespace

Comparison compare_engines(const std::string& network_file, const accelerators::Accelerator& accelerator, bool values) {
  Comparison result;
  network::LoadOptions load;
  load.values = values;
  network::Network network = network::load_network(network_file, load);
  accelerator.prepare(network, load);
  compile::Options options;
  options.values = values;
  auto compiled = accelerator.compile(network, options);
  if (const auto* no = std::get_if<compile::Unschedulable>(&compiled)) {
    result.misfit = no->layer + ": " + no->reason;
    return result;
  }
  const auto& program = std::get<contract::Program>(compiled);
  // The whole memory, not only what a layer says it wrote.
  const auto look = [&](const contract::LayerPlan&, const std::uint8_t* ddr, contract::LayerResult& layer) {
    if (values) layer.output_hash = base::Fnv1a().add(ddr, program.memory.size()).text();
  };
  runs::ReferenceChain reference(network, accelerator.quantiser(), accelerators::kernel_sums(accelerator, network));
  runs::Observer observer(network, program.layers, reference, true, "");
  timing::EngineOptions fast_options;
  fast_options.on_layer = [&](const contract::LayerPlan& plan, const std::uint8_t* ddr, contract::LayerResult& layer) {
    look(plan, ddr, layer);
    if (values) observer.layer_done(plan, ddr);
  };
  fast_options.values = values;
  const std::vector<contract::LayerResult> fast = accelerator.run(program, fast_options);
  timing::EngineOptions recurrences;
  recurrences.values = recurrences.replay = false;
  const std::vector<contract::LayerResult> computed = accelerator.run(program, recurrences);
  platform::MachineOptions clocked_options;
  clocked_options.on_layer = look;
  clocked_options.values = values;
  const auto machine = accelerator.machine(program, std::move(clocked_options));
  machine->run();
  if (machine->layers().size() != fast.size() || computed.size() != fast.size())
    result.difference = "the engines ran different layers";
  for (std::size_t i = 0; i < fast.size() && result.difference.empty(); ++i) {
    result.difference = first_difference(accelerator.account(), machine->layers()[i], fast[i]);
    if (result.difference.empty()) {
      const auto alone = runs::layer_differences(accelerator.account(), {machine->layers()[i]}, {computed[i]});
      if (!alone.empty()) result.difference = "without replay, " + alone.front();
    }
    ++result.layers;
  }
  if (result.difference.empty() && !observer.differences.empty()) result.difference = observer.differences.front();
  if (result.difference.empty() && values) result.difference = timed_difference(network_file, accelerator, fast);
  return result;
}

}  // namespace fansim::test

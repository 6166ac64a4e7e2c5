// SPDX-License-Identifier: Apache-2.0
#include "runs/prepare.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/output_files.h"
#include "contract/host_steps.h"
#include "runs/faults.h"
#include "runs/frames.h"
#include "runs/layer_output.h"
#include "runs/observer.h"
#include "runs/select_layers.h"
#include "timing/engine_options.h"

namespace fansim::runs {
namespace {

// Returns the outputs of layers that do not run. The machine's fast engine computes them, because it is much faster
// than the reference, which computes what the machine cannot.
std::map<int, network::Tensor> outputs_of(const std::set<int>& layers, const accelerators::Accelerator& accelerator,
                                          const network::Network& network, ReferenceChain& reference) {
  std::map<int, network::Tensor> outputs;
  compile::Options options;
  const std::vector<bool> read = read_by(network, {layers.begin(), layers.end()});
  for (std::size_t i = 0; i < read.size(); ++i)
    if (read[i]) options.layers.push_back(static_cast<int>(i));
  compile::Compiled compiled =
      layers.empty() ? compile::Compiled(compile::Unschedulable()) : accelerator.compile(network, options);
  if (auto* program = std::get_if<contract::Program>(&compiled)) {
    Observer observer(network, program->layers, reference, false, "");
    observer.hashes = false;
    observer.on_output = [&](int layer, const network::Tensor& output) {
      if (layers.count(layer) > 0) outputs[layer] = output;
    };
    timing::EngineOptions engine;
    engine.timing = false;
    engine.stop_requested = base::interrupted;
    engine.on_layer = [&](const contract::LayerPlan& plan, const std::uint8_t* ddr, contract::LayerResult&) {
      observer.layer_done(plan, ddr);
    };
    accelerator.run(std::move(*program), engine);
    base::stop_if_interrupted();
  }
  for (const int layer : layers)
    if (outputs.count(layer) == 0) outputs[layer] = reference.tensor(layer);
  return outputs;
}

compile::Options compile_options(const Request& request, const accelerators::Accelerator& accelerator,
                                 const network::Network& network, ReferenceChain& reference) {
  compile::Options options;
  options.values = request.values;
  options.strict = request.strict;
  options.memory = request.values || request.cross_check || request.engine == Engine::clocked;
  options.parameters_later = request.engine == Engine::fast && !request.cross_check && request.faults.empty();
  options.layers = select_layers(network, request.layers);
  if (options.layers.empty() || !request.values) return options;
  std::set<int> given;
  const auto give = [&](int index) -> const network::Layer& {
    const network::Layer& layer = network.layers[static_cast<std::size_t>(index)];
    for (const int producer : {layer.source, layer.with})
      if (producer != network::Layer::kInput) given.insert(producer);
    return layer;
  };
  // The layers that a layer is fused with run with it.
  const auto may_be_fused = [](const network::Layer& layer) {
    return layer.pools() || layer.function() || layer.vision();
  };
  for (int index : options.layers)
    while (index >= 0) {
      const network::Layer& layer = give(index);
      index = may_be_fused(layer) ? layer.source : network::Layer::kInput;
    }
  options.tensors = outputs_of(given, accelerator, network, reference);
  return options;
}

// Throws UserError if the file of --out cannot hold the last layer's output.
void check_out(const Request& request, const network::Network& network, const std::vector<contract::LayerPlan>& plans) {
  if (request.out.empty()) return;
  const auto at = [&](int index) -> const network::Layer& { return network.layers[static_cast<std::size_t>(index)]; };
  const network::Layer& last = at(plans.back().layer);
  const std::vector<int>& made_of = plans.back().made_of;
  const auto runs = [&](int layer) {
    return std::any_of(plans.begin(), plans.end(), [&](const auto& plan) { return plan.layer == layer; });
  };
  if (!made_of.empty() && std::none_of(made_of.begin(), made_of.end(), runs))
    throw base::UserError(fmt::format("run: --out: {} computes nothing, and what it {} does not run", last.name,
                                      last.type() == network::LayerType::flatten ? "flattens" : "joins"));
  check_output_name(request.out, last);
}

// Makes the folder of the dump. This comes last, when nothing else can refuse the run.
void prepare_dump(const Request& request, const network::Network& network,
                  const std::vector<contract::LayerPlan>& plans) {
  std::vector<std::string> names;
  for (const contract::LayerPlan& plan : plans) {
    const network::Layer& layer = network.layers[static_cast<std::size_t>(plan.layer)];
    if (!plan.output) continue;
    for (std::string& name : dump_names(layer.name, layer.out, layer.out_format)) names.push_back(std::move(name));
  }
  base::prepare_folder(request.dump_folder, names);
}

// Returns the mappings by the layer's index in the network. Throws UserError if they were `asked` for and the machine
// offers none.
std::map<int, contract::Mapping> mappings(const accelerators::Accelerator& accelerator,
                                          const contract::Program& program, bool asked) {
  std::map<int, contract::Mapping> all;
  std::size_t at = 0;
  for (contract::LayerSteps layer; contract::next_layer(program, at, layer);) {
    if (layer.plan->on_host) continue;
    if (auto mapping = accelerator.mapping(program, layer))
      all[layer.plan->layer] = std::move(*mapping);
    else if (asked)
      throw base::UserError(fmt::format(
          "run: --mapping: {} computes a network as it is, out of its own memories: it has no tiles to choose",
          accelerator.config().name));
  }
  return all;
}

// Throws UserError if there are too many frames. The clocked engine steps through all of them.
void check_frames(const Request& request, const contract::Program& program, const contract::FrameRule& rule) {
  constexpr std::int64_t kMostSteps = std::int64_t{1} << 26;
  if (rule.driven == 0) throw base::UserError("run: --frames: no layer runs");
  if (rule.beside > std::numeric_limits<std::int32_t>::max())
    throw base::UserError("run: --frames: a frame's last layers take the host more than 2^31 cycles");
  const auto most = kMostSteps / static_cast<std::int64_t>(program.ops.size());
  const bool stepped = request.cross_check || request.engine == Engine::clocked;
  if (stepped && request.frames > std::max<std::int64_t>(1, most))
    throw base::UserError(fmt::format("run: --frames {}: the clocked engine steps {} of this network at most",
                                      request.frames, std::max<std::int64_t>(1, most)));
}

// Returns why layers of the network's do not fit, so that nothing is computed for them first.
std::optional<compile::Unschedulable> misfit_of_chosen(const Request& request,
                                                       const accelerators::Accelerator& accelerator,
                                                       const network::Network& network) {
  compile::Options options;
  options.layers = select_layers(network, request.layers);
  options.values = options.memory = false;
  options.strict = request.strict;
  compile::Compiled compiled = accelerator.compile(network, options);
  auto* misfit = std::get_if<compile::Unschedulable>(&compiled);
  return misfit ? std::optional(std::move(*misfit)) : std::nullopt;
}

}  // namespace

Prepared prepare(const Request& request, const accelerators::Accelerator& accelerator, const network::Network& network,
                 ReferenceChain& reference) {
  Prepared prepared;
  if (!request.layers.empty() && request.values)
    prepared.unschedulable = misfit_of_chosen(request, accelerator, network);
  if (prepared.unschedulable) return prepared;
  compile::Compiled compiled = accelerator.compile(network, compile_options(request, accelerator, network, reference));
  if (auto* misfit = std::get_if<compile::Unschedulable>(&compiled)) {
    prepared.unschedulable = std::move(*misfit);
    return prepared;
  }
  contract::Program& program = prepared.program = std::move(std::get<contract::Program>(compiled));
  prepared.loading = contract::loading(accelerator.host(), program.given_bytes, accelerator.config().clock_mhz);
  check_out(request, network, program.layers);
  check_fault_layers(request.faults, program);
  if (request.on_program) prepared.waveform = request.on_program(program, accelerator);
  prepare_dump(request, network, program.layers);
  if (request.mapping || request.traffic) prepared.mappings = mappings(accelerator, program, request.mapping);
  if (request.frames > 0) {
    prepared.frame_rule = frame_rule(network, program);
    check_frames(request, program, prepared.frame_rule);
  }
  return prepared;
}

}  // namespace fansim::runs

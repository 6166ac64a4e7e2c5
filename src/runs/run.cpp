// SPDX-License-Identifier: Apache-2.0
#include "runs/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "accelerators/registry.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/output_files.h"
#include "network/network.h"
#include "network/picture_tensor.h"
#include "pictures/picture_file.h"
#include "runs/faults.h"
#include "runs/layer_output.h"
#include "runs/load.h"
#include "runs/observer.h"
#include "runs/simulate.h"
#include "timing/engine_options.h"

namespace fansim::runs {
namespace {

constexpr std::pair<Engine, const char*> kEngines[] = {{Engine::clocked, "clocked"}, {Engine::fast, "fast"}};

bool is_pipeline(const network::Network& network) {
  return network.layers.front().type() == network::LayerType::vision;
}

// Returns the indices that "conv1,conv3..fc1" names, in rising order. An empty text names none.
std::vector<int> select_layers(const network::Network& network, const std::string& text) {
  std::vector<std::string> names;
  for (const network::Layer& layer : network.layers) names.push_back(layer.name);
  const auto index_of = [&](const std::string& name) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] == name) return static_cast<int>(i);
    }
    throw base::UserError(
        fmt::format("run: --layers: no layer '{}' in {}{}", name, network.name, base::did_you_mean(name, names)));
  };
  std::set<int> chosen;
  for (std::size_t at = 0; !text.empty() && at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const std::string part = text.substr(at, comma - at);
    const std::size_t dots = part.find("..");
    const int first = index_of(part.substr(0, dots));
    const int last = dots == std::string::npos ? first : index_of(part.substr(dots + 2));
    if (first > last) throw base::UserError(fmt::format("run: --layers: '{}' runs backwards", part));
    for (int i = first; i <= last; ++i) chosen.insert(i);
    at = comma + 1;
  }
  return {chosen.begin(), chosen.end()};
}

// Marks these layers and all that they read, directly or not.
std::vector<bool> read_by(const network::Network& network, const std::vector<int>& layers) {
  std::vector<bool> read(network.layers.size());
  for (const int index : layers) read[static_cast<std::size_t>(index)] = true;
  for (std::size_t i = read.size(); i-- > 0;) {
    const network::Layer& layer = network.layers[i];
    for (const int producer : {layer.source, layer.with})
      if (read[i] && producer != network::Layer::kInput) read[static_cast<std::size_t>(producer)] = true;
  }
  return read;
}

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
    using network::LayerType;
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

}  // namespace

const char* name(Engine engine) {
  for (const auto& [kind, word] : kEngines)
    if (kind == engine) return word;
  throw std::logic_error("runs: an engine without a name");
}

std::vector<std::string> engine_names() {
  std::vector<std::string> names;
  for (const auto& engine : kEngines) names.emplace_back(engine.second);
  return names;
}

std::optional<Engine> engine_of(const std::string& name) {
  for (const auto& [kind, word] : kEngines)
    if (name == word) return kind;
  return std::nullopt;
}

const contract::LayerResult& Run::layer(const std::string& name) const {
  const auto found = std::find_if(layers.begin(), layers.end(), [&](const auto& one) { return one.name == name; });
  if (found == layers.end()) throw std::out_of_range("runs: no layer " + name);
  return *found;
}

contract::LayerResult Run::total() const { return contract::total(layers, accelerator->account()); }

network::LoadOptions load_options(const Request& request) {
  network::LoadOptions options;
  options.seed = request.seed;
  options.values = request.values;
  options.checkpoint = request.checkpoint;
  if (!pictures::is_picture_name(request.input)) options.input = request.input;
  if (!request.layers.empty())
    options.wanted = [layers = request.layers](const network::Network& network) {
      return read_by(network, select_layers(network, layers));
    };
  return options;
}

network::Network load_given(const Request& request, const accelerators::Accelerator& accelerator) {
  network::LoadOptions options = load_options(request);
  options.weights_later = accelerator.weights_drawn() == accelerators::WeightsDrawn::when_used;
  if (accelerator.weights_drawn() == accelerators::WeightsDrawn::by_machine)
    options.wanted = [](const network::Network& network) { return std::vector<bool>(network.layers.size()); };
  network::Network network = network::load_network(request.network, options);
  if (pictures::is_picture_name(request.input) && request.values) {
    network::read_picture(request.input, network.input);
    network.input_given = true;
  }
  if (request.input.empty() && request.values && is_pipeline(network) &&
      network::is_picture(network.input.shape, network.input.format))
    network::fill_test_card(network.input, request.seed);
  if (!request.checkpoint.empty() && !accelerator.trainer())
    throw base::UserError(fmt::format("run: --checkpoint: {} runs networks with their own weights, none of a training",
                                      accelerator.config().name));
  return network;
}

Run run(const Request& request) {
  auto accelerator = accelerators::read_accelerator(request.config, request.overrides);
  network::Network network = load_given(request, *accelerator);
  accelerator->prepare(network, load_options(request));
  return run_prepared(request, std::move(accelerator), network);
}

Run run_prepared(const Request& asked, std::unique_ptr<accelerators::Accelerator> accelerator,
                 const network::Network& network) {
  const Request request = with_faults(asked, *accelerator);
  Run run;
  run.accelerator = std::move(accelerator);
  run.network_name = network.name;
  run.network_hash = network.hash;
  run.engine = request.engine;
  ReferenceChain reference(
      network, run.accelerator->quantiser(),
      accelerators::kernel_sums(*run.accelerator, network, select_layers(network, request.layers)));
  compile::Compiled compiled =
      run.accelerator->compile(network, compile_options(request, *run.accelerator, network, reference));
  if (auto* misfit = std::get_if<compile::Unschedulable>(&compiled)) {
    run.unschedulable = std::move(*misfit);
    return run;
  }
  auto& program = std::get<contract::Program>(compiled);
  run.loading = contract::loading(run.accelerator->host(), program.given_bytes, run.accelerator->config().clock_mhz);
  check_out(request, network, program.layers);
  check_fault_layers(request.faults, program);
  std::unique_ptr<sim::Waveform> waveform =
      request.on_program ? request.on_program(program, *run.accelerator) : nullptr;
  prepare_dump(request, network, program.layers);
  const std::map<int, contract::Mapping> mapped = request.mapping || request.pictures
                                                      ? mappings(*run.accelerator, program, request.mapping)
                                                      : std::map<int, contract::Mapping>();
  simulate(request, network, std::move(program), reference, std::move(waveform), run);
  for (contract::LayerResult& layer : run.layers)
    if (const auto found = mapped.find(layer.layer); found != mapped.end()) layer.mapping = found->second;
  run.rounding = reference.rounding();
  return run;
}

}  // namespace fansim::runs

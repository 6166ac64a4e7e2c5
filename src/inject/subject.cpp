// SPDX-License-Identifier: Apache-2.0
#include "inject/subject.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "accelerators/registry.h"
#include "base/child_process.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "runs/layer_output.h"
#include "runs/load.h"
#include "runs/memory_difference.h"
#include "timing/engine_options.h"

namespace fansim::inject {
namespace {

using contract::Fault;
using Kind = Fault::Kind;

constexpr int kLate = 10'000;  // cycles of a stall that ends

std::vector<Fault> protocol_faults(const platform::FaultPlace& place) {
  std::vector<Fault> faults;
  if (place.storage()) return faults;
  for (const contract::FaultKind& kind : contract::fault_kinds()) {
    if (!place.has(kind.kind)) continue;
    Fault fault;
    fault.kind = kind.kind;
    fault.at = place.name;
    faults.push_back(fault);
    if (kind.kind != Kind::stall) continue;
    fault.cycles = kLate;
    faults.push_back(fault);
  }
  return faults;
}

}  // namespace

Subject::Subject(const runs::Request& request) : request_(request) {
  accelerator_ = accelerators::read_faultless("inject", request.config, request.overrides);
  network_ = runs::load_given(request, *accelerator_);
  accelerator_->prepare(network_, runs::load_options(request));
  compile();
  run_fast();
  if (request.engine == runs::Engine::clocked) run_clocked();
}

void Subject::compile() {
  reference_ = std::make_unique<runs::ReferenceChain>(network_, accelerator_->quantiser(),
                                                      accelerators::kernel_sums(*accelerator_, network_));
  compile::Options options;
  options.values = options.memory = true;
  compile::Compiled compiled = accelerator_->compile(network_, options);
  if (const auto* misfit = std::get_if<compile::Unschedulable>(&compiled))
    throw base::UserError(misfit->where, fmt::format("{}: does not fit: {}", misfit->layer, misfit->reason));
  program_ = std::move(std::get<contract::Program>(compiled));
  std::size_t at = 0;
  for (contract::LayerSteps layer; contract::next_layer(program_, at, layer);) layers_.push_back(layer);
  if (layers_.empty()) throw base::UserError("inject: no layer of the network runs");
}

std::unique_ptr<runs::Observer> Subject::observer(
    std::function<void(int layer, const network::Tensor&)> on_output) const {
  auto observer = std::make_unique<runs::Observer>(network_, program_.layers, *reference_, false, "");
  observer->on_output = std::move(on_output);
  return observer;
}

contract::Program Subject::from(std::size_t layer, contract::MemoryImage memory) const {
  contract::Program rest;
  rest.ops.assign(program_.ops.begin() + static_cast<std::ptrdiff_t>(layers_[layer].before), program_.ops.end());
  rest.memory = std::move(memory);
  rest.layers = program_.layers;
  return rest;
}

std::size_t Subject::layer_at(base::Cycles cycle) const {
  std::size_t at = 0;
  while (at + 1 < endings_.size() && endings_[at + 1].begin < cycle) ++at;
  return at;
}

void Subject::run_fast() {
  const auto seer = observer([this](int layer, const network::Tensor& output) {
    output_hashes_[layer] = runs::hash_of(output);
    last_output_ = output;
  });
  timing::EngineOptions options;
  options.stop_requested = base::interrupted;
  options.before_layer = [this](const contract::LayerPlan&, std::int64_t cycle, std::uint8_t*) {
    endings_.push_back({cycle, 0, 0});
  };
  options.on_layer = [&](const contract::LayerPlan& plan, const std::uint8_t* ddr, contract::LayerResult& result) {
    endings_.back().end = endings_.back().begin + result.cycles;
    endings_.back().memory = runs::memory_hash(ddr, program_.memory.size());
    seer->layer_done(plan, ddr);
  };
  accelerator_->run(program_, options);
  base::stop_if_interrupted();
  last_output_ = std::move(seer->last_output);
  places_.push_back({Fault::kMemory, sim::word_of(sim::Storage::Of::ddr), program_.memory.size(), 8});
}

// Runs in a process of its own, because it elaborates the machine.
void Subject::run_clocked() {
  const nlohmann::json told = nlohmann::json::parse(base::in_child_process([this] {
    nlohmann::json json;
    platform::MachineOptions options;
    options.stop_requested = base::interrupted;
    options.on_layer = [&](const contract::LayerPlan&, const std::uint8_t* ddr, contract::LayerResult&) {
      json["memories"].push_back(runs::memory_hash(ddr, program_.memory.size()));
    };
    const auto machine = accelerator_->machine(program_, std::move(options));
    const platform::Injector& injector = machine->injector();
    machine->run();
    base::stop_if_interrupted();
    for (const contract::Span& span : machine->spans()) json["spans"].push_back({span.begin, span.end});
    json["places"] = json["protocol"] = nlohmann::json::array();
    for (const auto& place : injector.places()) {
      if (const sim::Storage* storage = place->storage())
        json["places"].push_back({place->name, sim::word_of(storage->of), storage->words(), storage->word_bits()});
      for (const Fault& fault : protocol_faults(*place)) json["protocol"].push_back(fault.text());
    }
    return json.dump();
  }));
  for (std::size_t layer = 0; layer < endings_.size(); ++layer) {
    endings_[layer].begin = told["spans"][layer][0];
    endings_[layer].end = told["spans"][layer][1];
    if (told["memories"][layer] != endings_[layer].memory)
      throw std::runtime_error("inject: the engines leave different bytes in memory without any fault");
  }
  places_.clear();
  for (const nlohmann::json& place : told["places"]) places_.push_back({place[0], place[1], place[2], place[3]});
  for (const nlohmann::json& fault : told["protocol"]) protocol_.push_back(contract::parse_fault(fault));
}

}  // namespace fansim::inject

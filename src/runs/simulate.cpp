// SPDX-License-Identifier: Apache-2.0
#include "runs/simulate.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "base/interrupt.h"
#include "platform/clocked_machine.h"
#include "timing/engine_options.h"
#include "timing/memory_faults.h"

namespace fansim::runs {
namespace {

using Look = std::function<void(const contract::LayerPlan&, const std::uint8_t* ddr, contract::LayerResult&)>;

// Runs one engine after the other on the same program.
class Engines {
 public:
  Engines(const Request& request, const accelerators::Accelerator& accelerator, const contract::FrameRule& rule,
          std::unique_ptr<sim::Waveform> waveform)
      : request_(request), accelerator_(accelerator), rule_(rule), waveform_(std::move(waveform)) {}

  // `reports`: this is the engine whose results the request is about.
  Simulated run(const EngineUse& engine, bool reports, contract::Program program, const Look& look) {
    Simulated simulated;
    simulated.engine = engine;
    const std::size_t bytes = program.memory.size();
    Look look_on = look;
    if (request_.cross_check && request_.values)
      look_on = [&](const contract::LayerPlan& plan, const std::uint8_t* ddr, contract::LayerResult& result) {
        if (look) look(plan, ddr, result);
        simulated.memory.push_back({plan.name, memory_hash(ddr, bytes)});
      };
    if (engine.engine == Engine::clocked)
      clocked(std::move(program), look_on, simulated);
    else
      fast(std::move(program), reports, look_on, simulated);
    base::stop_if_interrupted();
    return simulated;
  }

 private:
  void fast(contract::Program program, bool reports, const Look& look, Simulated& simulated) {
    timing::EngineOptions options;
    std::optional<timing::MemoryFaults> faults;
    if (!request_.faults.empty() && request_.values) {
      faults.emplace(request_.faults, request_.seed, program.memory.size());
      options.before_layer = [&faults](const contract::LayerPlan& plan, std::int64_t cycle, std::uint8_t* ddr) {
        faults->before(plan.name, cycle, ddr);
      };
    }
    options.values = request_.values;
    options.replay = simulated.engine.replay;
    if (reports) {
      options.kept = request_.kept;
      options.memory_after = request_.memory_after;
    }
    options.on_layer = look;
    options.on_progress = request_.on_progress;
    options.stop_requested = base::interrupted;
    simulated.layers = accelerator_.run(std::move(program), options);
    if (faults) simulated.faults = faults->log();
  }

  void clocked(contract::Program program, const Look& look, Simulated& simulated) {
    const int frames = std::max(1, request_.frames);
    const std::int64_t first = rule_.driven, last = first * frames;
    platform::MachineOptions options;
    options.values = request_.values;
    if (look)
      options.on_layer = [=, layer = std::int64_t{0}](const auto& plan, const std::uint8_t* ddr, auto& result) mutable {
        const std::int64_t at = layer++;
        if (frames == 1 || at < first || at >= last) look(plan, ddr, result);
      };
    options.on_progress = request_.on_progress;
    options.stop_requested = base::interrupted;
    options.waveform = std::move(waveform_);
    options.waveform_bucket = request_.recorded_bucket;
    options.waveform_edges = request_.recorded_edges;
    options.timeline = request_.timeline;
    options.counters = request_.counters;
    options.faults = request_.faults;
    options.seed = request_.seed;
    const std::unique_ptr<platform::ClockedMachine> machine = accelerator_.machine(
        frames == 1 ? std::move(program) : contract::framed(std::move(program), frames, rule_), std::move(options));
    machine->run();
    base::stop_if_interrupted();
    simulated.spans = machine->spans();
    simulated.faults = machine->fault_log();
    simulated.layers = machine->layers();
    if (frames > 1) simulated.layers.erase(simulated.layers.begin() + first, simulated.layers.begin() + last);
  }

  const Request& request_;
  const accelerators::Accelerator& accelerator_;
  const contract::FrameRule& rule_;
  std::unique_ptr<sim::Waveform> waveform_;
};

// Returns the engine that reports, then those that are compared with it.
std::vector<EngineUse> engines_of(const Request& request) {
  std::vector<EngineUse> engines{{request.engine, request.replay}};
  if (request.cross_check)
    for (const EngineUse& engine : {EngineUse{Engine::clocked}, EngineUse{Engine::fast, false}, EngineUse{}})
      if (!(engine == engines.front())) engines.push_back(engine);
  return engines;
}

}  // namespace

std::vector<Simulated> simulate(const Request& request, const accelerators::Accelerator& accelerator,
                                Prepared& prepared, Observer& observer) {
  Engines engines(request, accelerator, prepared.frame_rule, std::move(prepared.waveform));
  const std::vector<EngineUse> uses = engines_of(request);
  std::vector<Simulated> all(uses.size());
  for (std::size_t i = 1; i < uses.size(); ++i) all[i] = engines.run(uses[i], false, prepared.program, nullptr);
  Look look;
  if (request.values)
    look = [&](const contract::LayerPlan& plan, const std::uint8_t* ddr, contract::LayerResult& result) {
      observer.layer_done(plan, ddr);
      if (request.faults.empty()) observer.saturated(plan, accelerator.sum_bits(), result);
    };
  all[0] = engines.run(uses[0], true, std::move(prepared.program), look);
  return all;
}

}  // namespace fansim::runs

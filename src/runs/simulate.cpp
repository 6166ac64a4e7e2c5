// SPDX-License-Identifier: Apache-2.0
#include "runs/simulate.h"

#include <functional>

#include "base/interrupt.h"
#include "platform/clocked_machine.h"
#include "runs/layer_differences.h"
#include "runs/memory_difference.h"
#include "runs/observer.h"
#include "timing/engine_options.h"

namespace fansim::runs {
namespace {

std::vector<contract::LayerResult> every_layer(const std::vector<contract::LayerPlan>& plans,
                                               const std::vector<contract::LayerResult>& ran,
                                               const Observer& observer) {
  std::vector<contract::LayerResult> all;
  for (const contract::LayerPlan& plan : plans) {
    contract::LayerResult result;
    result.name = plan.name;
    result.type = plan.type;
    result.layer = plan.layer;
    for (const contract::LayerResult& one : ran) {
      if (one.layer == plan.layer) result = one;
    }
    observer.complete(result);
    all.push_back(result);
  }
  return all;
}

using Look = std::function<void(const contract::LayerPlan&, const std::uint8_t* ddr, contract::LayerResult&)>;
using Layers = std::vector<contract::LayerResult>;

// One engine after the other on the same program.
class Engines {
 public:
  Engines(const Request& request, const accelerators::Accelerator& accelerator, std::unique_ptr<sim::Waveform> waveform)
      : request_(request), accelerator_(accelerator), waveform_(std::move(waveform)) {}

  Layers run(Engine engine, contract::Program program, Look look) {
    Layers layers = engine == Engine::clocked ? clocked(std::move(program), std::move(look))
                                              : fast(std::move(program), std::move(look));
    base::stop_if_interrupted();
    return layers;
  }

 private:
  Layers fast(contract::Program program, Look look) {
    timing::EngineOptions options;
    options.values = request_.values;
    options.on_layer = std::move(look);
    options.on_progress = request_.on_progress;
    options.stop_requested = base::interrupted;
    return accelerator_.run(std::move(program), options);
  }

  Layers clocked(contract::Program program, Look look) {
    platform::MachineOptions options;
    options.values = request_.values;
    options.on_layer = std::move(look);
    options.on_progress = request_.on_progress;
    options.stop_requested = base::interrupted;
    options.waveform = std::move(waveform_);
    options.waveform_layer = request_.recorded_layer;
    options.counters = request_.counters;
    const std::unique_ptr<platform::ClockedMachine> machine =
        accelerator_.machine(std::move(program), std::move(options));
    machine->run();
    return machine->layers();
  }

  const Request& request_;
  const accelerators::Accelerator& accelerator_;
  std::unique_ptr<sim::Waveform> waveform_;
};

}  // namespace

void simulate(const Request& request, const network::Network& network, contract::Program program,
              ReferenceChain& reference, std::unique_ptr<sim::Waveform> waveform, Run& run) {
  const std::vector<contract::LayerPlan> plans = program.layers;
  Observer observer(network, plans, reference, request.verify, request.dump_folder);
  Engines engines(request, *run.accelerator, std::move(waveform));
  MemoryDifference both(program.memory.size());
  run.bytes_compared = request.cross_check && request.values;
  Layers other;
  if (request.cross_check) {
    const Engine second = request.engine == Engine::fast ? Engine::clocked : Engine::fast;
    Look remember;
    if (run.bytes_compared) remember = [&both](const auto&, const std::uint8_t* ddr, auto&) { both.remember(ddr); };
    other = engines.run(second, program, remember);
  }
  Look look;
  if (request.values) {
    look = [&](const contract::LayerPlan& plan, const std::uint8_t* ddr, contract::LayerResult&) {
      observer.layer_done(plan, ddr);
      if (run.bytes_compared) both.compare(plan, ddr);
    };
  }
  const Layers ran = engines.run(request.engine, std::move(program), look);
  run.differences = std::move(observer.differences);
  run.output = std::move(observer.last_output);
  if (request.cross_check) {
    const bool fast = request.engine == Engine::fast;
    for (std::string& difference :
         layer_differences(run.accelerator->account(), fast ? other : ran, fast ? ran : other))
      run.differences.push_back(std::move(difference));
    run.differences.insert(run.differences.end(), both.lines().begin(), both.lines().end());
  }
  run.layers = every_layer(plans, ran, observer);
}

}  // namespace fansim::runs

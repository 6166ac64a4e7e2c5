// SPDX-License-Identifier: Apache-2.0
#include "runs/run.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "accelerators/registry.h"
#include "runs/faults.h"
#include "runs/judge.h"
#include "runs/load.h"
#include "runs/observer.h"
#include "runs/prepare.h"
#include "runs/reference_chain.h"
#include "runs/select_layers.h"
#include "runs/show.h"
#include "runs/simulate.h"

namespace fansim::runs {

const contract::LayerResult& Run::layer(const std::string& name) const {
  const auto found = std::find_if(layers.begin(), layers.end(), [&](const auto& one) { return one.name == name; });
  if (found == layers.end()) throw std::out_of_range("runs: no layer " + name);
  return *found;
}

contract::LayerResult Run::total() const { return contract::total(layers, accelerator->account()); }

Run run(const Request& request) {
  auto accelerator = accelerators::read_accelerator(request.config, request.overrides);
  network::Network network = load_given(request, *accelerator);
  accelerator->prepare(network, load_options(request));
  return run_loaded(request, std::move(accelerator), network);
}

Run run_loaded(const Request& asked, std::unique_ptr<accelerators::Accelerator> given,
               const network::Network& network) {
  Request request = with_faults(asked, *given);
  request.frames = passes(request.frames, given->pictures());
  Run run;
  run.accelerator = std::move(given);
  run.network_name = network.name;
  run.network_hash = network.hash;
  run.engine = request.engine;
  const accelerators::Accelerator& accelerator = *run.accelerator;
  ReferenceChain reference(network, accelerator.quantiser(),
                           accelerators::kernel_sums(accelerator, network, select_layers(network, request.layers)));

  Prepared prepared = prepare(request, accelerator, network, reference);
  if (prepared.unschedulable) {
    run.unschedulable = std::move(prepared.unschedulable);
    return run;
  }

  const std::vector<contract::LayerPlan> plans = prepared.program.layers;
  Observer observer(network, plans, reference, request.verify, request.dump_folder);
  if (request.pictures && request.values) keep_pictures(network, observer, run.pictures);
  if (request.frames > 0) run.frames = fast_frames(accelerator, prepared.program, prepared.frame_rule, request.frames);
  std::vector<Simulated> simulated = simulate(request, accelerator, prepared, observer);

  run.differences = judge(accelerator.account(), observer, simulated, run.frames, prepared.frame_rule);

  run.loading = prepared.loading;
  run.layers = every_layer(prepared, plans, simulated[0].layers, observer);
  run.output = std::move(observer.last_output);
  run.bytes_compared = request.cross_check && request.values;
  if (!request.faults.empty()) run.faults = std::move(simulated[0].faults);
  run.rounding = reference.rounding();
  return run;
}

}  // namespace fansim::runs

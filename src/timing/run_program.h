// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "contract/host_steps.h"
#include "contract/program.h"
#include "contract/result.h"
#include "contract/result_of.h"
#include "timing/engine_options.h"
#include "timing/parameters_ahead.h"

namespace fansim::timing {

// Runs a program layer by layer on a fast engine. `time_layer` gives the result of a layer's steps, `compute_layer`
// leaves its values in the program's memory, which only a const one never computes in, and may add to the result; they
// call the progress callback now and then. Ends early when stop_requested says so, within a layer too.
template <class Program, class TimeLayer, class ComputeLayer>
std::vector<contract::LayerResult> run_program(Program& program, const EngineOptions& options, TimeLayer&& time_layer,
                                               ComputeLayer&& compute_layer) {
  struct Stopped {};
  const contract::ProgressCallback progress = [&options] {
    if (options.stop_requested && options.stop_requested()) throw Stopped{};
  };
  std::vector<contract::LayerResult> results;
  contract::LayerSteps layer;
  contract::ProgramClock clock;
  std::optional<ParametersAhead> own;
  if constexpr (!std::is_const_v<Program>)
    if (options.values && !options.parameters) own.emplace(program.layers, program.memory.data());
  const auto wait_for_parameters = [&](const contract::LayerPlan& plan) {
    const auto index = static_cast<std::size_t>(&plan - program.layers.data());
    if (own) own->wait_for(index);
    if (options.parameters) options.parameters->wait_for(index);
  };
  try {
    for (std::size_t at = 0; contract::next_layer(program, at, layer);) {
      layer.waited = clock.begin(program, layer);
      if constexpr (!std::is_const_v<Program>)
        if (options.before_layer) options.before_layer(*layer.plan, clock.now(), program.memory.data());
      contract::LayerResult result = options.timing ? time_layer(layer, progress) : contract::result_of(*layer.plan);
      clock.end(result.cycles);
      if (options.values) {
        wait_for_parameters(*layer.plan);
        compute_layer(layer, progress, result);
      }
      if constexpr (!std::is_const_v<Program>)
        if (options.values && layer.plan->host) layer.plan->host(program.memory.data());
      progress();
      if (options.on_layer) options.on_layer(*layer.plan, program.memory.data(), result);
      results.push_back(std::move(result));
      if (options.on_progress) options.on_progress(static_cast<double>(at) / static_cast<double>(program.ops.size()));
    }
    if (own && !program.layers.empty()) own->wait_for(program.layers.size() - 1);
  } catch (const Stopped&) {
  }
  own.reset();
  if constexpr (!std::is_const_v<Program>)
    if (options.memory_after) *options.memory_after = std::move(program.memory);
  return results;
}

}  // namespace fansim::timing

// SPDX-License-Identifier: Apache-2.0
#include "accelerators/decoupled/hardware/command_program.h"

#include <fmt/format.h>

#include <numeric>

#include "accelerators/decoupled/config/account.h"
#include "accelerators/decoupled/hardware/decoupled_machine.h"
#include "accelerators/decoupled/timing/decoupled_timing.h"
#include "contract/job_steps.h"

namespace fansim::test {

contract::Program CommandProgram::program() const {
  contract::Program program;
  program.memory = memory;
  contract::JobSteps steps(config.host);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    contract::LayerPlan plan;
    plan.name = fmt::format("layer{}", i);
    plan.machine = layers[i];
    program.layers.push_back(plan);
    const int number = static_cast<int>(i);
    steps.begin_layer(number);
    for (std::size_t job = 0; job < layers[i]->jobs.size(); ++job) steps.job(decoupled::JobRegisters(job));
    steps.end_layer(number);
  }
  program.ops = steps.take();
  return program;
}

EngineRun run_clocked(const decoupled::Config& config, contract::Program program) {
  EngineRun run;
  const std::size_t bytes = program.memory.size();
  try {
    platform::MachineOptions options;
    options.on_layer = [&](const contract::LayerPlan&, const std::uint8_t* ddr, contract::LayerResult&) {
      run.memory.assign(ddr, ddr + bytes);
    };
    decoupled::DecoupledMachine machine(config, std::move(program), std::move(options));
    machine.run();
    run.layers = machine.layers();
  } catch (const std::exception& error) {
    run.error = error.what();
  }
  return run;
}

EngineRun run_fast(const decoupled::Config& config, const contract::Program& program) {
  EngineRun run;
  try {
    contract::LayerSteps layer;
    decoupled::LayerLeft left;
    for (std::size_t at = 0; contract::next_layer(program, at, layer);)
      run.layers.push_back(decoupled::run_layer(config, program, layer, left, {}));
  } catch (const std::exception& error) {
    run.error = error.what();
  }
  return run;
}

std::string difference(const EngineRun& clocked, const EngineRun& fast) {
  if (!clocked.error.empty() || !fast.error.empty())
    return fmt::format("clocked: {}; fast: {}", clocked.error, fast.error);
  if (clocked.layers.size() != fast.layers.size()) return "the engines ran different layers";
  std::string text;
  const auto compare = [&](const std::string& layer, const char* what, std::int64_t a, std::int64_t b) {
    if (a != b) text += fmt::format("{}: {}: clocked {}, fast {}; ", layer, what, a, b);
  };
  for (std::size_t i = 0; i < fast.layers.size(); ++i) {
    const contract::LayerResult &a = clocked.layers[i], &b = fast.layers[i];
    compare(a.name, "cycles", a.cycles, b.cycles);
    compare(a.name, "bytes read", a.bytes_read, b.bytes_read);
    compare(a.name, "bytes written", a.bytes_written, b.bytes_written);
    for (std::size_t bucket = 0; bucket < decoupled::kBuckets; ++bucket)
      compare(a.name, decoupled::account().buckets[bucket].name, a.buckets[bucket], b.buckets[bucket]);
    compare(a.name, "cycles and the buckets' sum", a.cycles,
            std::accumulate(b.buckets.begin(), b.buckets.end(), base::Cycles{0}));
    for (const base::Cycles cycles : b.buckets)
      if (cycles < 0) text += fmt::format("{}: a bucket of {}; ", a.name, cycles);
  }
  return text;
}

}  // namespace fansim::test

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "base/error.h"
#include "base/file.h"
#include "cli/accelerator.h"
#include "cli/exit_code.h"
#include "cli/output_files.h"
#include "cli/run_options.h"
#include "cli/simulate.h"
#include "cli/subcommand.h"
#include "report/run_report.h"
#include "report/table.h"

namespace fansim::cli {
namespace {

// Beyond this many cycles a waveform of everything is no help and gigabytes of file.
constexpr std::int64_t kWholeRunVcdCycles = 200'000;

template <class Config>
network::Network load(const RunOptions& run, const Config& config) {
  network::LoadOptions options;
  options.seed = run.seed;
  options.input = run.input;
  options.values = !run.timing_only;
  network::Network network = network::load_network(run.network, options);
  prepare(network, config, options);
  return network;
}

compile::Options compile_options(const RunOptions& run, const network::Network& network, ReferenceChain& reference) {
  compile::Options options;
  options.values = !run.timing_only;
  options.layers = select_layers(network, run.layers);
  if (options.layers.empty() || run.timing_only) return options;
  for (const int index : options.layers) {
    const network::Layer& layer = network.layers[static_cast<std::size_t>(index)];
    for (const int producer : {layer.source, layer.with}) {
      if (producer != network::Layer::kInput) options.tensors[producer] = reference.tensor(producer);
    }
  }
  return options;
}

std::unique_ptr<sim::Waveform> make_waveform(const RunOptions& run, const arch::Program& program,
                                             const WaveformFile& file) {
  std::int64_t columns = 0;
  std::vector<std::string> names;
  for (const arch::LayerPlan& plan : program.layers) {
    columns += plan.pass_columns;
    if (plan.passes > 0) names.push_back(plan.name);
  }
  if (!run.vcd_layer.empty() && std::find(names.begin(), names.end(), run.vcd_layer) == names.end())
    throw base::UserError(fmt::format("run: --vcd-layer: no layer '{}' runs on the machine{}", run.vcd_layer,
                                      base::did_you_mean(run.vcd_layer, names)));
  if (run.vcd_layer.empty() && !run.vcd_windowed && columns > kWholeRunVcdCycles)
    throw base::UserError(
        fmt::format("run: --vcd: the run takes {} cycles or more; choose what to record with "
                    "--vcd-window FROM:TO or --vcd-layer NAME",
                    columns));
  return std::make_unique<sim::Waveform>(file.temporary(), run.vcd_window);
}

std::string command_line(const Arguments& arguments) {
  std::string line = "fansim run";
  for (const std::string& argument : arguments) {
    const bool plain = argument.find_first_of(" \t\"'$*?&|;<>()") == std::string::npos && !argument.empty();
    line += plain ? " " + argument : " '" + argument + "'";
  }
  return line;
}

template <class Config>
report::RunReport make_report(const Arguments& arguments, const RunOptions& run, const network::Network& network,
                              const Config& config, Engine engine, const Simulation& simulation) {
  const estimate::Estimate cost = estimate::estimate(config);
  report::RunReport report;
  report.tool = {FANSIM_VERSION, command_line(arguments)};
  report.config = {config.name, config.hash};
  report.network = {network.name, network.hash};
  report.engine = word(engine);
  report.seed = run.seed;
  report.clock_hz = config.clock_hz();
  report.macs_per_cycle = macs_per_cycle(config);
  report.layers = simulation.layers;
  report.resources = cost.total;
  report.device = config.device;
  report.memory = arch::summary(config.ddr);
  report.misfits = cost.fit.reasons;
  report.fmax_hz = cost.fmax.hz;
  report.power_w = cost.power.total_w();
  if (run.verify) report.verified = simulation.differences.empty();
  return report;
}

void check_outputs(const RunOptions& run) {
  check_writable(run.json);
  check_writable(run.csv);
  prepare_folder(run.dump_folder);
}

int write_reports(const RunOptions& run, const report::RunReport& report, const Simulation& simulation) {
  std::fputs(report::text(report).c_str(), stdout);
  for (const std::string& difference : simulation.differences) fmt::print(stderr, "{}\n", difference);
  if (run.cross_check && simulation.differences.empty())
    fmt::print(stderr, "cross-check: both engines agree in every cycle count{}\n",
               simulation.bytes_compared ? ", counter and byte" : " and counter");
  if (!run.json.empty()) base::write_file(run.json, report::json(report));
  if (!run.csv.empty()) base::write_file(run.csv, report::csv(report));
  if (!simulation.differences.empty()) return kDiffers;
  return report.misfits.empty() ? kDone : kDoesNotFit;
}

template <class Config>
int run_on(const Config& config, const Arguments& arguments, const RunOptions& run) {
  const network::Network network = load(run, config);
  ReferenceChain reference(network, config.quantiser);
  const Engines engines = engines_of(config);
  const Engine engine = run.engine.value_or(run.vcd.empty() ? Engine::fast : Engine::clocked);
  compile::Options options = compile_options(run, network, reference);
  options.memory = !run.timing_only || run.cross_check || engine == Engine::clocked;
  auto compiled = compile::compile(network, config, options);
  if (const auto* misfit = std::get_if<compile::Unschedulable>(&compiled)) {
    fmt::print(stderr, "{}\n",
               base::at(misfit->where, fmt::format("{}: does not fit: {}", misfit->layer, misfit->reason)));
    return kDoesNotFit;
  }
  auto& program = std::get<arch::Program>(compiled);

  check_outputs(run);
  SimulationRequest request;
  request.engine = engine;
  request.cross_check = run.cross_check;
  request.values = !run.timing_only;
  request.verify = run.verify;
  request.dump_folder = run.dump_folder;
  request.waveform_layer = run.vcd_layer;
  std::unique_ptr<WaveformFile> waveform;
  if (!run.vcd.empty()) {
    waveform = std::make_unique<WaveformFile>(run.vcd);
    request.waveform = make_waveform(run, program, *waveform);
  }
  const Simulation simulation = simulate(network, engines, std::move(program), reference, std::move(request));
  const int code = write_reports(run, make_report(arguments, run, network, config, engine, simulation), simulation);
  if (waveform && !waveform->keep()) fmt::print(stderr, "{}: nothing recorded: the run is shorter\n", run.vcd);
  return code;
}

}  // namespace

int run(const Arguments& arguments) {
  const RunOptions run = RunOptions::parse(arguments);
  if (run.help) return kDone;
  const arch::AcceleratorConfig config = arch::load_config(run.config, run.overrides);
  return std::visit([&](const auto& one) { return run_on(one, arguments, run); }, config);
}

}  // namespace fansim::cli

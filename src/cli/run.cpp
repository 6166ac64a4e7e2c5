// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>

#include "base/error.h"
#include "base/file.h"
#include "base/output_files.h"
#include "cli/command_line.h"
#include "cli/exit_code.h"
#include "cli/progress.h"
#include "cli/run_options.h"
#include "cli/subcommand.h"
#include "report/run_report.h"
#include "report/table.h"
#include "runs/run.h"

namespace fansim::cli {
namespace {

// Beyond this many cycles a waveform of everything is no help and gigabytes of file.
constexpr std::int64_t kWholeRunVcdCycles = 200'000;

std::unique_ptr<sim::Waveform> make_waveform(const RunOptions& run, const contract::Program& program,
                                             const base::WaveformFile& file) {
  std::int64_t columns = 0;
  std::vector<std::string> names;
  for (const contract::LayerPlan& plan : program.layers) {
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

report::RunReport make_report(const Arguments& arguments, const runs::Request& request, const runs::Run& run) {
  const contract::ConfigBase& config = run.accelerator->config();
  const estimate::Estimate cost = run.accelerator->estimate();
  report::RunReport report;
  report.tool = {FANSIM_VERSION, command_line("run", arguments)};
  report.config = {config.name, config.hash};
  report.network = {run.network_name, run.network_hash};
  report.engine = name(run.engine);
  report.seed = request.seed;
  report.account = run.accelerator->account();
  report.design = {config.clock_hz(), run.accelerator->macs_per_cycle()};
  report.layers = run.layers;
  report.resources = cost.total;
  report.device = config.device;
  report.memory = contract::summary(run.accelerator->ddr());
  report.misfits = cost.fit.reasons;
  report.fmax_hz = cost.fmax.hz;
  report.power_w = cost.power.total_w();
  if (request.verify) report.verified = run.differences.empty();
  return report;
}

void check_outputs(const RunOptions& run) {
  base::check_writable(run.json);
  base::check_writable(run.csv);
  base::check_writable(run.counters);
  base::prepare_folder(run.request.dump_folder);
}

int write_reports(const RunOptions& options, const report::RunReport& report, const runs::Run& run) {
  std::fputs(report::text(report).c_str(), stdout);
  for (const std::string& difference : run.differences) fmt::print(stderr, "{}\n", difference);
  if (options.request.cross_check && run.differences.empty())
    fmt::print(stderr, "cross-check: both engines agree in every cycle count{}\n",
               run.bytes_compared ? ", counter and byte" : " and counter");
  if (!options.json.empty()) base::write_file(options.json, report::json(report));
  if (!options.counters.empty()) base::write_file(options.counters, report::counters_json(report));
  if (!options.csv.empty()) base::write_file(options.csv, report::csv(report));
  if (!run.differences.empty()) return kDiffers;
  return report.misfits.empty() ? kDone : kDoesNotFit;
}

}  // namespace

int run(const Arguments& arguments) {
  RunOptions options = RunOptions::parse(arguments);
  if (options.help) return kDone;
  std::unique_ptr<base::WaveformFile> waveform;
  options.request.on_program = [&](const contract::Program& program) -> std::unique_ptr<sim::Waveform> {
    check_outputs(options);
    if (options.vcd.empty()) return nullptr;
    waveform = std::make_unique<base::WaveformFile>(options.vcd);
    return make_waveform(options, program, *waveform);
  };
  std::optional<Progress> progress;
  options.request.on_progress = [&progress](double fraction) {
    if (!progress) progress.emplace();
    progress->show(fraction);
  };
  const runs::Run run = runs::run(options.request);
  progress.reset();
  if (run.unschedulable) {
    fmt::print(stderr, "{}\n",
               base::at(run.unschedulable->where,
                        fmt::format("{}: does not fit: {}", run.unschedulable->layer, run.unschedulable->reason)));
    return kDoesNotFit;
  }
  const int code = write_reports(options, make_report(arguments, options.request, run), run);
  if (waveform && !waveform->keep()) fmt::print(stderr, "{}: nothing recorded: the run is shorter\n", options.vcd);
  return code;
}

}  // namespace fansim::cli

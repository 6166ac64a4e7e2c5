// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "accelerators/registry.h"
#include "base/console.h"
#include "base/error.h"
#include "base/file.h"
#include "base/npy.h"
#include "base/output_files.h"
#include "base/workers.h"
#include "cli/models/imported_network.h"
#include "cli/options/command_line.h"
#include "cli/options/exit_code.h"
#include "cli/options/progress.h"
#include "cli/options/subcommand.h"
#include "cli/run_options.h"
#include "cli/run_timeline.h"
#include "cli/run_waveform.h"
#include "network/picture_tensor.h"
#include "pictures/picture_file.h"
#include "pictures/png.h"
#include "report/energy.h"
#include "report/pages/page.h"
#include "report/run_report.h"
#include "report/table.h"
#include "runs/batch.h"
#include "runs/layer_output.h"
#include "runs/ranges.h"
#include "runs/run.h"
#include "waveforms/waveform_file.h"

namespace fansim::cli {
namespace {

report::RunReport make_report(const Arguments& arguments, const RunOptions& options, const runs::Run& run) {
  const runs::Request& request = options.request;
  const contract::ConfigBase& config = run.accelerator->config();
  const estimate::Estimate cost = run.accelerator->estimate();
  report::RunReport report;
  report.tool = {FANSIM_VERSION, command_line("run", arguments)};
  report.config = {config.name, config.hash};
  report.resolved = run.accelerator->resolved();
  report.network = {run.network_name, run.network_hash};
  report.engine = name(run.engine);
  report.seed = request.seed;
  report.account = run.accelerator->account();
  report.design = run.accelerator->design();
  report.loading = run.loading;
  report.layers = run.layers;
  report.mapping = request.mapping;
  report.whole = request.layers.empty() && report::total(report).cycles > 0;
  report.resources = cost.total;
  report.blocks = cost.blocks;
  report.accumulator_bits = run.accelerator->quantiser().accumulator_bits;
  report.operand_bits = run.accelerator->quantiser().operand_bits;
  report.memory_bytes_per_s = run.accelerator->memory_bytes_per_s();
  report.device = config.device;
  report.memory = contract::summary(run.accelerator->ddr());
  report.timing = estimate::timing(config.clock_hz(), cost.fmax);
  report.slack_allowed = options.allow_slack;
  report.misfits = estimate::misfits(cost, report.timing, options.allow_slack);
  report.power_w = cost.power.total_w();
  report.processing_system_source = estimate::processing_system_source(config.device);
  if (report.whole)
    report.energy = report::energy_of(run.layers, report.design.pictures, 1 / report::frames_per_s(report), cost.power,
                                      run.accelerator->ddr());
  if (request.verify) report.verified = run.differences.empty();
  report.faults = run.faults;
  if (const runs::Frames& frames = run.frames; frames.count > 0)
    report.frames = {
        frames.count * report.design.pictures, frames.total, frames.first, frames.steady, frames.beside, frames.waited};
  return report;
}

report::Span span_of(const runs::Request& request) {
  Progress progress;
  const runs::Span span = runs::span(request, [&progress](double fraction) { progress.show(fraction); });
  report::Span result{span.cycles, span.least, span.most, {}};
  for (const runs::KeySpan& key : span.keys)
    result.keys.push_back(
        {key.range.key, key.range.lo, key.range.hi, key.at_lo, key.at_hi, key.range.lo.text(), key.range.hi.text()});
  return result;
}

std::optional<report::Reach> reach_of(const runs::Request& request, base::Cycles configured) {
  const std::optional<runs::Reach> reach = runs::reach(request, configured);
  if (!reach) return std::nullopt;
  return report::Reach{reach->least, reach->most, reach->keys};
}

report::BatchReport batch_report(const runs::Batch& batch) {
  report::BatchReport report;
  report.count = batch.count;
  report.seconds = batch.seconds;
  report.read = batch.read;
  if (batch.floats) {
    report.as_floats = batch.floats->same;
    report.floats_first = batch.floats->right;
  }
  if (!batch.accuracy) return report;
  report.labelled = true;
  report.first = batch.accuracy->first;
  report.first_five = batch.accuracy->first_five;
  report.confusion = batch.accuracy->confusion;
  return report;
}

std::vector<std::string> outputs_of(const RunOptions& run) {
  return {run.json, run.csv, run.counters, run.html, run.vcd, run.timeline, run.request.out};
}

std::string page(const report::RunReport& report, const runs::Run& run) {
  std::vector<report::ShownPicture> pictures;
  for (const runs::Shown& shown : run.pictures)
    pictures.push_back({shown.name, pictures::encode_png(network::picture_of(shown.map))});
  return report::run_page(report, pictures);
}

// Writes every output, even if another one fails.
int write_reports(const RunOptions& options, const report::RunReport& report, const runs::Run& run,
                  waveforms::WaveformFile* waveform, const sim::Timeline& timeline) {
  const std::vector<std::string> outputs = outputs_of(options);
  const bool piped = std::any_of(outputs.begin(), outputs.end(), base::is_standard_output);
  const std::size_t columns = options.wide ? 0 : base::terminal_columns();
  (piped ? base::print_error_text : base::print_text)(options.quiet ? report::answer(report)
                                                                    : report::text(report, columns));
  for (const std::string& difference : run.differences) base::print_error("{}\n", difference);
  if (options.request.cross_check && run.differences.empty())
    base::print_error("cross-check: both engines agree in every cycle count{}\n",
                      run.bytes_compared ? ", counter and byte" : " and counter");
  if (run.rounding.sums > 0)
    base::print_error("kernels: {} sums err by {:.6f} units of their last place at most, {:.6f} on average\n",
                      run.rounding.sums, run.rounding.largest, run.rounding.mean());
  std::string problems;
  const auto write = [&problems](bool wanted, const auto& action) {
    try {
      if (wanted) action();
    } catch (const base::UserError& error) {
      problems += (problems.empty() ? "" : "\n") + std::string(error.what());
    }
  };
  write(!options.json.empty(), [&] { base::write_file(options.json, report::json(report)); });
  write(!options.counters.empty(), [&] { base::write_file(options.counters, report::counters_json(report)); });
  write(!options.csv.empty(), [&] { base::write_file(options.csv, report::csv(report)); });
  write(!options.html.empty(), [&] { base::write_file(options.html, page(report, run)); });
  write(!options.request.out.empty(), [&] { runs::write_output(options.request.out, run.output); });
  write(!options.timeline.empty(), [&] {
    base::write_file(options.timeline, timeline_json(timeline, report.network.name + " on " + report.config.name,
                                                     run.accelerator->config().clock_mhz));
  });
  write(waveform != nullptr, [&] { waveform->keep(); });
  if (!problems.empty()) throw base::UserError(problems);
  if (!run.differences.empty() || (run.faults && !run.faults->gave_up.empty())) return kDiffers;
  return report.misfits.empty() ? kDone : kDoesNotFit;
}

// Imports an ONNX model in the accelerator's codes; the ranges come from the given floats.
void import(const RunOptions& options, std::optional<ImportedNetwork>& imported) {
  const runs::Request& request = options.request;
  const auto accelerator = accelerators::read_accelerator(request.config, request.overrides);
  const std::optional<network::Coding> coding = accelerator->coding();
  if (!coding)
    throw base::UserError(
        fmt::format("run: {}: {} computes no codes of networks", request.network, accelerator->config().name));
  const std::string input = !options.inputs.empty()                    ? options.inputs
                            : pictures::is_picture_name(request.input) ? ""
                                                                       : request.input;
  const bool floats = !input.empty() && base::holds_floats(input);
  imported.emplace(
      ImportedNetwork::Wanted{{request.network, parse_shape("run", options.shape), parse_names(options.model_outputs)},
                              !options.calibration.empty() ? options.calibration
                              : floats                     ? input
                                                           : "",
                              request.seed},
      *coding);
}

}  // namespace

int run(const Arguments& arguments) {
  RunOptions options = RunOptions::parse(arguments);
  if (options.help) return kDone;
  const std::string model = options.request.network;
  std::optional<ImportedNetwork> imported;
  if (is_onnx(options.request.network)) {
    import(options, imported);
    if (!imported->whole()) return kUserError;
    options.request.network = imported->path();
  }
  std::unique_ptr<waveforms::WaveformFile> waveform;
  sim::Timeline timeline(options.timeline_window);
  if (!options.timeline.empty()) options.request.timeline = &timeline;
  options.request.on_program = [&](const contract::Program& program,
                                   const accelerators::Accelerator& accelerator) -> std::unique_ptr<sim::Waveform> {
    base::check_outputs(outputs_of(options));
    timeline.window() = timeline_window(options, program, accelerator);
    if (options.vcd.empty()) return nullptr;
    waveform =
        std::make_unique<waveforms::WaveformFile>(options.vcd, waveforms::WaveformFile::Unit::ps, options.vcd_words);
    return make_waveform(options, program, accelerator, *waveform);
  };
  std::optional<Progress> progress;
  options.request.on_progress = [&](double fraction) {
    if (!progress) progress.emplace();
    progress->show(fraction);
  };
  std::optional<runs::Batch> batch;
  if (!options.inputs.empty()) {
    base::allow_cores(options.jobs);
    batch = runs::run_batch({options.request, options.inputs, options.labels, options.floats,
                             options.part.value_or(base::Part{}), options.jobs});
    batch->run.differences.insert(batch->run.differences.end(), batch->differences.begin(), batch->differences.end());
  }
  const runs::Run run = batch ? std::move(batch->run) : runs::run(options.request);
  progress.reset();
  if (run.unschedulable) {
    base::print_error(
        "{}\n", base::at(imported ? base::Location{model, 0, 0} : run.unschedulable->where,
                         fmt::format("{}: does not fit: {}", run.unschedulable->layer, run.unschedulable->reason)));
    return kDoesNotFit;
  }
  report::RunReport report = make_report(arguments, options, run);
  if (batch) report.batch = batch_report(*batch);
  if (options.part) report.batch->begin = batch->begin;
  if (options.ranges)
    report.span = span_of(options.request);
  else if (!options.quiet || !options.json.empty() || !options.html.empty())
    report.reach = reach_of(options.request, run.total().cycles);
  return write_reports(options, report, run, waveform.get(), timeline);
}

}  // namespace fansim::cli

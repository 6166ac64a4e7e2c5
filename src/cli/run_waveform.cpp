// SPDX-License-Identifier: Apache-2.0
#include "cli/run_waveform.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/interrupt.h"
#include "contract/frames.h"
#include "contract/host_steps.h"
#include "timing/engine_options.h"

namespace fansim::cli {
namespace {

// A waveform of more cycles than this has gigabytes and helps nobody, so it needs a window.
constexpr std::int64_t kWholeRunCycles = 200'000;

// Says which layers run, and when, in edges of the accelerator's clock.
struct Forecast {
  std::vector<contract::LayerResult> layers;
  std::vector<contract::Span> spans;
};

Forecast forecast(const accelerators::Accelerator& accelerator, contract::Program program) {
  timing::EngineOptions options;
  options.values = false;
  options.stop_requested = base::interrupted;
  program.memory.clear();
  Forecast all;
  all.layers = accelerator.run(program, options);
  base::stop_if_interrupted();
  all.spans = contract::spans(program, all.layers, contract::first_edge(program, accelerator.host()));
  return all;
}

// Converts a window of a layer's cycles, if a layer is named, to edges of the run. `what` is "vcd" or "timeline".
sim::WaveformWindow in_run(const char* what, sim::WaveformWindow window, bool windowed, const std::string& layer,
                           const Forecast& runs) {
  std::vector<std::string> names;
  for (const contract::LayerResult& result : runs.layers) names.push_back(result.name);
  const auto found = static_cast<std::size_t>(std::find(names.begin(), names.end(), layer) - names.begin());
  if (!layer.empty() && found == names.size())
    throw base::UserError(fmt::format("run: --{}-layer: no layer '{}' runs on the machine{}", what, layer,
                                      base::did_you_mean(layer, names)));
  const base::Cycles last = !layer.empty()       ? runs.layers[found].cycles - 1
                            : runs.spans.empty() ? 0
                                                 : runs.spans.back().end - 1;
  if (windowed && window.from > last)
    throw base::UserError(
        fmt::format("run: --{}-window {}:{} would record nothing: {} {}", what, window.from, window.to,
                    layer.empty() ? "the last layer's last edge is" : layer + "'s last cycle is", last));
  if (layer.empty()) return window;
  const contract::Span& span = runs.spans[found];
  window.from += span.begin;
  window.to = windowed ? std::min(span.end, window.to + span.begin) : span.end;
  return window;
}

void check_trigger(const std::string& bucket, const std::string& in, const sim::WaveformWindow& window,
                   const Forecast& runs, const contract::Account& account) {
  if (bucket.empty()) return;
  const std::vector<std::string> names = account.bucket_names();
  if (std::find(names.begin(), names.end(), bucket) == names.end())
    throw base::UserError(
        fmt::format("run: --vcd-trigger: bucket '{}' unknown{}", bucket, base::did_you_mean(bucket, names)));
  std::string others;
  for (std::size_t i = 0; i < runs.layers.size(); ++i) {
    const contract::LayerResult& layer = runs.layers[i];
    if (account.cycles_of(layer, bucket) == 0) continue;
    const contract::Span& span = runs.spans[i];
    const bool meets = span.end > window.from && (window.to == 0 || span.begin < window.to);
    if (meets && (in.empty() || layer.name == in)) return;
    others += (others.empty() ? "; in " : ", ") + layer.name;
  }
  throw base::UserError(fmt::format("run: --vcd-trigger {} would record nothing: no cycle of {} is{}", bucket,
                                    !in.empty()     ? in
                                    : window.to > 0 ? "that window"
                                                    : "the run",
                                    others));
}

}  // namespace

std::unique_ptr<sim::Waveform> make_waveform(const RunOptions& run, const contract::Program& program,
                                             const accelerators::Accelerator& accelerator,
                                             waveforms::WaveformFile& file) {
  const runs::Request& request = run.request;
  sim::WaveformWindow window = run.vcd_window;
  const bool whole = run.vcd_layer.empty() && !run.vcd_windowed && request.recorded_bucket.empty();
  std::int64_t columns = 0;
  for (const contract::LayerPlan& plan : program.layers) columns += plan.pass_columns;
  if (whole && columns > kWholeRunCycles)
    throw base::UserError(
        fmt::format("run: --vcd: the run takes {} cycles or more; choose what to record with "
                    "--vcd-window FROM:TO, --vcd-layer NAME or --vcd-trigger BUCKET",
                    columns));
  if (!whole) {
    const Forecast runs = forecast(accelerator, program);
    window = in_run("vcd", window, run.vcd_windowed, run.vcd_layer, runs);
    check_trigger(request.recorded_bucket, run.vcd_layer, window, runs, accelerator.account());
  }
  return std::make_unique<sim::Waveform>(file.writer(), window);
}

sim::WaveformWindow timeline_window(const RunOptions& run, const contract::Program& program,
                                    const accelerators::Accelerator& accelerator) {
  if (run.timeline_layer.empty() && !run.timeline_windowed) return run.timeline_window;
  return in_run("timeline", run.timeline_window, run.timeline_windowed, run.timeline_layer,
                forecast(accelerator, program));
}

}  // namespace fansim::cli

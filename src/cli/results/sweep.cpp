// SPDX-License-Identifier: Apache-2.0
#include "report/sweep.h"

#include <fmt/format.h>

#include <algorithm>

#include "accelerators/accelerator_model.h"
#include "accelerators/registry.h"
#include "base/console.h"
#include "base/error.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/output_files.h"
#include "base/text.h"
#include "cli/options/command_line.h"
#include "cli/options/exit_code.h"
#include "cli/options/options.h"
#include "cli/options/part.h"
#include "cli/options/progress.h"
#include "cli/options/shipped.h"
#include "cli/options/subcommand.h"
#include "report/pages/page.h"
#include "runs/run.h"

namespace fansim::cli {
namespace {

constexpr std::size_t kMostPoints = 100'000;

struct Axis {
  std::string key;
  std::vector<std::string> values;
};

// Parses "KEY=a,b,c".
Axis parse_axis(const std::string& text) {
  if (base::not_utf8(text) != std::string::npos)  // its words appear in the report
    throw base::UserError(fmt::format("sweep: --vary: '{}' is not UTF-8", text));
  const std::size_t equals = std::min(text.find('='), text.size());
  Axis axis{text.substr(0, equals), {}};
  for (std::size_t from = equals + 1; from <= text.size();) {
    const std::size_t to = std::min(text.find(',', from), text.size());
    axis.values.push_back(text.substr(from, to - from));
    from = to + 1;
  }
  const bool empty = std::any_of(axis.values.begin(), axis.values.end(), [](const auto& v) { return v.empty(); });
  if (axis.key.empty() || axis.values.empty() || empty)
    throw base::UserError(fmt::format("sweep: --vary: expected KEY=a,b,c, found '{}'", text));
  return axis;
}

std::vector<Axis> parse_axes(const std::vector<std::string>& texts, const std::vector<std::string>& keys) {
  std::vector<Axis> axes;
  std::size_t points = 1;
  for (const std::string& text : texts) {
    const Axis axis = parse_axis(text);
    const bool in_part = axis.key.rfind("ddr.part.", 0) == 0;
    if (!in_part && std::find(keys.begin(), keys.end(), axis.key) == keys.end())
      throw base::UserError(fmt::format("sweep: --vary: '{}' is no key of the configuration{}", axis.key,
                                        base::did_you_mean(axis.key, keys)));
    if (std::any_of(axes.begin(), axes.end(), [&](const Axis& other) { return other.key == axis.key; }))
      throw base::UserError(fmt::format("sweep: --vary: {} twice", axis.key));
    axes.push_back(axis);
    points *= axis.values.size();
    if (points > kMostPoints)
      throw base::UserError(
          fmt::format("sweep: more than {} points; `explore` searches spaces of any size", kMostPoints));
  }
  return axes;
}

// Returns the values of a point; the last axis changes fastest.
std::vector<std::string> values_of(const std::vector<Axis>& axes, std::size_t point) {
  std::vector<std::string> values(axes.size());
  for (std::size_t a = axes.size(); a-- > 0; point /= axes[a].values.size())
    values[a] = axes[a].values[point % axes[a].values.size()];
  return values;
}

std::array<double, report::kSweepMetrics.size()> metrics_of(const runs::Run& run) {
  const contract::LayerResult total = run.total();
  const contract::ConfigBase& config = run.accelerator->config();
  const estimate::Estimate cost = run.accelerator->estimate();
  const explore::Metrics all = accelerators::metrics_of(
      {total.cycles, total.macs, total.bytes_read, total.bytes_written, {}}, config.clock_hz(), config.device,
      cost.total, cost.power.total_w(), cost.fmax.hz, run.accelerator->pictures());
  const std::vector<std::string> names = explore::metric_names();
  std::array<double, report::kSweepMetrics.size()> chosen{};
  for (std::size_t m = 0; m < chosen.size(); ++m)
    chosen[m] = all[static_cast<std::size_t>(std::find(names.begin(), names.end(), report::kSweepMetrics[m].name) -
                                             names.begin())];
  return chosen;
}

// Counts what became of the points.
struct Outcomes {
  std::size_t fit = 0;      // run, and fit their device and clock
  std::size_t refused = 0;  // have values that no configuration takes
  std::size_t broken = 0;   // broke a rule of the model
};

report::SweepPoint simulate(runs::Request request, const std::vector<Axis>& axes, std::vector<std::string> values,
                            bool allow_slack, Outcomes& outcomes) {
  report::SweepPoint point;
  for (std::size_t a = 0; a < axes.size(); ++a) request.overrides.push_back(axes[a].key + "=" + values[a]);
  point.values = std::move(values);
  try {
    const runs::Run run = runs::run(request);
    if (run.unschedulable) {
      point.reason = fmt::format("does not fit: {}: {}", run.unschedulable->layer, run.unschedulable->reason);
      return point;
    }
    point.metrics = metrics_of(run);
    const estimate::Estimate cost = run.accelerator->estimate();
    point.timing = estimate::timing(run.accelerator->config().clock_hz(), cost.fmax);
    for (const std::string& reason : estimate::misfits(cost, *point.timing, allow_slack))
      point.reason += (point.reason.empty() ? "does not fit: " : "; ") + reason;
    if (point.reason.empty()) ++outcomes.fit;
    if (point.timing->missed() && allow_slack)
      point.reason += (point.reason.empty() ? "" : "; ") + ("slack allowed: " + point.timing->text());
  } catch (const base::UserError& error) {
    point.reason = error.what();
    ++outcomes.refused;
  } catch (const base::Interrupted&) {
    throw;
  } catch (const std::exception& error) {
    point.reason = fmt::format("failed: {}", error.what());
    ++outcomes.broken;
  }
  return point;
}

}  // namespace

int sweep(const Arguments& arguments) {
  Options options("sweep");
  options.positional("CONFIG", true)
      .positional("NETWORK", true)
      .values("vary", "KEY=a,b,c",
              "a key of the configuration and its values; may repeat: every combination is a point")
      .value("csv", "F", "write the points as CSV")
      .value("json", "F", "write the points as JSON")
      .value("html", "F", "write a page with a plot of every metric")
      .value("shard", "I/N", "the I-th of N parts of the rows, in their order")
      .flag("allow-slack", "a clock above Fmax is no misfit; it is marked")
      .values("set", "key.path=value", "override a configuration key of all points; may repeat");
  options.example("sweep zcu102_stream alexnet --vary host.dma_setup=1us,2us,4us", "a row for each value")
      .example("sweep zcu102_stream vgg16 --vary clock_mhz=100,200,300 --html s.html",
               "plots; costs that are times take the same time at every clock");
  if (!options.parse(arguments)) return kDone;
  runs::Request request;
  request.config = config_file(options.text("CONFIG"));
  request.network = network_file(options.text("NETWORK"));
  request.overrides = options.list("set");
  request.values = false;
  if (!options.has("vary")) throw base::UserError("sweep: --vary KEY=a,b,c is missing: nothing to sweep");
  const auto accelerator = accelerators::read_faultless("sweep", request.config, request.overrides);
  const std::vector<Axis> axes = parse_axes(options.list("vary"), accelerator->keys());
  const std::string csv = options.text("csv"), json = options.text("json"), html = options.text("html");
  const std::vector<std::string> outputs{csv, json, html};
  base::check_outputs(outputs);

  report::Sweep sweep;
  sweep.tool = {FANSIM_VERSION, command_line("sweep", arguments)};
  sweep.config = {accelerator->config().name, accelerator->config().hash};
  const network::Network network = network::load_network(request.network, accelerators::timing_only());
  sweep.network = {network.name, network.hash};
  std::size_t points = 1;
  for (const Axis& axis : axes) {
    sweep.keys.push_back(axis.key);
    points *= axis.values.size();
  }
  const Part part = options.has("shard") ? parse_part("sweep", options.text("shard")) : Part{};
  const std::size_t first = part.begin(points), end = part.end(points);
  if (first == end)
    throw base::UserError(
        fmt::format("sweep: --shard {}: of {} points that part has none", options.text("shard"), points));
  Outcomes outcomes;
  bool interrupted = false;
  Progress progress;
  for (std::size_t point = first; point < end && !interrupted; ++point) {
    progress.show(static_cast<double>(point - first) / static_cast<double>(end - first));
    try {
      sweep.points.push_back(simulate(request, axes, values_of(axes, point), options.on("allow-slack"), outcomes));
    } catch (const base::Interrupted&) {
      interrupted = true;  // what there is, is still written
    }
  }
  const bool piped = std::any_of(outputs.begin(), outputs.end(), base::is_standard_output);
  (piped ? base::print_error_text : base::print_text)(report::text(sweep));
  if (!csv.empty()) base::write_file(csv, report::csv(sweep));
  if (!json.empty()) base::write_file(json, report::json(sweep));
  if (!html.empty()) base::write_file(html, report::sweep_page(sweep));
  if (interrupted) throw base::Interrupted();
  if (outcomes.broken > 0) return kViolation;
  return outcomes.fit > 0 ? kDone : outcomes.refused == end - first ? kUserError : kDoesNotFit;
}

}  // namespace fansim::cli

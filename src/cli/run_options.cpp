// SPDX-License-Identifier: Apache-2.0
#include "cli/run_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "cli/options.h"

namespace fansim::cli {
namespace {

using base::UserError;

sim::WaveformWindow parse_window(const std::string& text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const auto from = parse_natural(text.substr(0, colon));
  const auto to = parse_natural(text.substr(std::min(colon + 1, text.size())));
  if (!from || !to || *from >= *to)
    throw UserError(fmt::format("run: --vcd-window: expected FROM:TO in cycles, FROM below TO, found '{}'", text));
  return {static_cast<sim::Edge>(*from), static_cast<sim::Edge>(*to), "*"};
}

std::optional<Engine> parse_engine(const Options& options) {
  if (!options.has("engine")) return std::nullopt;
  const std::string engine = options.text("engine");
  if (engine == "clocked") return Engine::clocked;
  if (engine != "fast")
    throw UserError(
        fmt::format("run: --engine '{}' unknown{}", engine, base::did_you_mean(engine, {"clocked", "fast"})));
  if (options.has("vcd")) throw UserError("run: --vcd records the clocked engine, not --engine fast");
  return Engine::fast;
}

void check_combination(const RunOptions& run, const Options& options) {
  const auto needs = [&](const char* name, bool met, const char* what) {
    if (options.has(name) && !met) throw UserError(fmt::format("run: --{} needs {}", name, what));
  };
  needs("vcd-window", !run.vcd.empty(), "--vcd");
  needs("vcd-layer", !run.vcd.empty(), "--vcd");
  needs("vcd-scope", !run.vcd.empty(), "--vcd");
  if (run.vcd_windowed && !run.vcd_layer.empty()) throw UserError("run: give --vcd-window or --vcd-layer, not both");
  if (!run.timing_only) return;
  const char* conflict = run.verify                 ? "verify"
                         : !run.dump_folder.empty() ? "dump"
                         : !run.input.empty()       ? "input"
                                                    : nullptr;
  if (conflict) throw UserError(fmt::format("run: --timing-only computes no values, --{} needs them", conflict));
}

}  // namespace

RunOptions RunOptions::parse(const std::vector<std::string>& arguments) {
  Options options("run");
  options.positional("CONFIG", true)
      .positional("NETWORK", true)
      .value("engine", "fast|clocked",
             "fast (skips what is known; the default without --vcd) or clocked (steps every cycle)")
      .flag("cross-check", "run on both engines and compare every cycle count, counter and output")
      .value("layers", "A,B..C", "simulate these layers only")
      .flag("timing-only", "no values: cycles and counts only")
      .value("seed", "N", "seed of the tensors the network does not carry (1)")
      .value("input", "F.npy", "the network's input")
      .value("dump", "DIR", "write every layer's output as DIR/LAYER.npy")
      .flag("verify", "compare every output with the reference executor")
      .value("json", "F", "write the report as JSON")
      .value("csv", "F", "write the layers as CSV")
      .value("vcd", "F", "record a waveform")
      .value("vcd-window", "FROM:TO", "of these cycles only")
      .value("vcd-layer", "NAME", "of this layer only")
      .value("vcd-scope", "GLOB", "of these instances only")
      .values("set", "key.path=value", "override a configuration key; may repeat")
      .not_built_yet("html", true)
      .not_built_yet("timeline", true);
  RunOptions run;
  run.help = !options.parse(arguments);
  if (run.help) return run;
  run.engine = parse_engine(options);
  run.cross_check = options.on("cross-check");
  run.config = options.text("CONFIG");
  run.network = options.text("NETWORK");
  run.overrides = options.list("set");
  run.layers = options.text("layers");
  run.timing_only = options.on("timing-only");
  run.verify = options.on("verify");
  run.seed = options.natural("seed").value_or(1);
  run.input = options.text("input");
  run.dump_folder = options.text("dump");
  run.json = options.text("json");
  run.csv = options.text("csv");
  run.vcd = options.text("vcd");
  run.vcd_layer = options.text("vcd-layer");
  run.vcd_windowed = options.has("vcd-window");
  if (run.vcd_windowed) run.vcd_window = parse_window(options.text("vcd-window"));
  run.vcd_window.scope = options.text("vcd-scope", "*");
  check_combination(run, options);
  return run;
}

std::vector<int> select_layers(const network::Network& network, const std::string& text) {
  std::vector<std::string> names;
  for (const network::Layer& layer : network.layers) names.push_back(layer.name);
  const auto index_of = [&](const std::string& name) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] == name) return static_cast<int>(i);
    }
    throw UserError(
        fmt::format("run: --layers: no layer '{}' in {}{}", name, network.name, base::did_you_mean(name, names)));
  };
  std::set<int> chosen;
  for (std::size_t at = 0; !text.empty() && at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const std::string part = text.substr(at, comma - at);
    const std::size_t dots = part.find("..");
    const int first = index_of(part.substr(0, dots));
    const int last = dots == std::string::npos ? first : index_of(part.substr(dots + 2));
    if (first > last) throw UserError(fmt::format("run: --layers: '{}' runs backwards", part));
    for (int i = first; i <= last; ++i) chosen.insert(i);
    at = comma + 1;
  }
  return {chosen.begin(), chosen.end()};
}

}  // namespace fansim::cli

// SPDX-License-Identifier: Apache-2.0
#include "cli/run_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/workers.h"
#include "cli/models/imported_network.h"
#include "cli/options/options.h"
#include "cli/options/shipped.h"

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

// Waveforms and counters are the clocked engine's; else the fast one is the default.
runs::Engine parse_engine(const Options& options) {
  const bool clocked = options.has("vcd") || options.has("counters");
  if (!options.has("engine")) return clocked ? runs::Engine::clocked : runs::Engine::fast;
  const std::string word = options.text("engine");
  const std::optional<runs::Engine> engine = runs::engine_of(word);
  if (!engine)
    throw UserError(fmt::format("run: --engine '{}' unknown{}", word, base::did_you_mean(word, runs::engine_names())));
  if (options.has("vcd") && *engine == runs::Engine::fast)
    throw UserError("run: --vcd records the clocked engine, not --engine fast");
  if (options.has("counters") && *engine == runs::Engine::fast)
    throw UserError("run: --counters reads the blocks of the clocked engine, not --engine fast");
  return *engine;
}

int parse_frames(const Options& options) {
  constexpr int kMostFrames = 1'000'000;
  if (!options.has("frames")) return 0;
  const auto frames = options.natural("frames").value_or(0);
  if (frames < 1 || frames > kMostFrames)
    throw UserError(fmt::format("run: --frames {}: allowed: 1..{}", frames, kMostFrames));
  if (options.has("vcd")) throw UserError("run: --frames are many, --vcd records one");
  return static_cast<int>(frames);
}

int parse_jobs(const Options& options) {
  constexpr unsigned kMostJobs = 1024;
  const auto jobs = options.natural("jobs").value_or(base::cores());
  if (jobs < 1 || jobs > kMostJobs) throw UserError(fmt::format("run: --jobs {}: allowed: 1..{}", jobs, kMostJobs));
  return static_cast<int>(jobs);
}

void check_combination(const RunOptions& run, const Options& options) {
  const auto needs = [&](const char* name, bool met, const char* what) {
    if (options.has(name) && !met) throw UserError(fmt::format("run: --{} needs {}", name, what));
  };
  needs("vcd-window", !run.vcd.empty(), "--vcd");
  needs("vcd-layer", !run.vcd.empty(), "--vcd");
  needs("vcd-scope", !run.vcd.empty(), "--vcd");
  if (run.vcd_windowed && !run.vcd_layer.empty()) throw UserError("run: give --vcd-window or --vcd-layer, not both");
  const runs::Request& request = run.request;
  for (const char* name : {"shape", "outputs", "calibrate"}) needs(name, is_onnx(request.network), "a network in ONNX");
  needs("labels", !run.inputs.empty(), "--inputs");
  if (run.floats && run.inputs.empty()) throw UserError("run: --floats needs --inputs");
  needs("jobs", !run.inputs.empty(), "--inputs");
  const auto alone = [&](bool given, const char* name) {
    if (given && !run.inputs.empty())
      throw UserError(fmt::format("run: --inputs runs the whole network on many inputs, --{} is of one run", name));
  };
  for (const char* name : {"input", "out", "layers", "vcd"}) alone(options.has(name), name);
  alone(!request.values, "timing-only");
  if (request.values) return;
  const char* conflict = request.verify                 ? "verify"
                         : !request.dump_folder.empty() ? "dump"
                         : !request.input.empty()       ? "input"
                         : !request.out.empty()         ? "out"
                                                        : nullptr;
  if (conflict) throw UserError(fmt::format("run: --timing-only computes no values, --{} needs them", conflict));
}

}  // namespace

RunOptions RunOptions::parse(const std::vector<std::string>& arguments) {
  Options options("run");
  options.positional("CONFIG", true)
      .positional("NETWORK", true)
      .value("shape", "N,C,H,W", "of the input of a NETWORK.onnx, where the file leaves it open")
      .value("outputs", "NAME,NAME...", "of a NETWORK.onnx, those that are wanted")
      .value("calibrate", "F", "inputs in float32 that give a NETWORK.onnx its ranges: .npy (--inputs or --input)")
      .value("engine", "fast|clocked",
             "fast (skips what is known; the default without --vcd) or clocked (steps every cycle)")
      .flag("cross-check", "run on both engines and compare every cycle count, counter and output")
      .value("layers", "A,B..C", "simulate these layers only")
      .value("frames", "N", "so many frames back to back: cycles of all, of the first, and from frame to frame")
      .flag("strict", "refuse what the accelerator has no hardware for, instead of leaving it to the host's software")
      .flag("timing-only", "no values: cycles and counts only")
      .value("seed", "N", "seed of the tensors the network does not carry (1)")
      .value("input", "F", "the network's input: .npy, or a picture (.pgm, .ppm, .png)")
      .value("inputs", "F", "many inputs, [N, ...] as .npy: the values of each, the time once")
      .value("labels", "F", "what each of --inputs shows, [N] as .npy")
      .flag("floats", "run --inputs through the network of floats too, and say how many are read alike")
      .value("jobs", "N", "threads for --inputs (one per processor)")
      .value("checkpoint", "F", "the weights that `train` left (a trainer's first ones, by the seed)")
      .value("out", "F", "write the last layer's output: .npy, or a picture")
      .value("dump", "DIR", "write every layer's output as DIR/LAYER.npy, and pictures beside")
      .flag("verify", "compare every output with the reference executor")
      .flag("wide", "all columns of the table, however wide the terminal is")
      .flag("quiet,q", "print the first line alone")
      .value("json", "F", "write the report as JSON")
      .value("csv", "F", "write the layers as CSV")
      .value("html", "F", "write the report as a page, with input and outputs side by side where they are pictures")
      .value("counters", "F", "write what every block counted in every layer as JSON (clocked engine)")
      .value("vcd", "F", "record a waveform")
      .value("vcd-window", "FROM:TO", "of these cycles only")
      .value("vcd-layer", "NAME", "of this layer only")
      .value("vcd-scope", "GLOB", "of these instances only")
      .values("set", "key.path=value", "override a configuration key; may repeat")
      .not_built_yet("timeline", true);
  RunOptions run;
  run.help = !options.parse(arguments);
  if (run.help) return run;
  runs::Request& request = run.request;
  request.engine = parse_engine(options);
  request.cross_check = options.on("cross-check");
  request.config = config_file(options.text("CONFIG"));
  request.network = network_file(options.text("NETWORK"));
  run.shape = options.text("shape"), run.model_outputs = options.text("outputs"),
  run.calibration = options.text("calibrate");
  request.overrides = options.list("set");
  request.layers = options.text("layers");
  request.values = !options.on("timing-only");
  request.verify = options.on("verify");
  request.frames = parse_frames(options);
  request.strict = options.on("strict");
  request.seed = options.natural("seed").value_or(1);
  request.input = options.text("input");
  request.checkpoint = options.text("checkpoint");
  run.inputs = options.text("inputs"), run.labels = options.text("labels");
  run.floats = options.on("floats");
  run.jobs = parse_jobs(options);
  request.out = options.text("out");
  request.dump_folder = options.text("dump");
  request.recorded_layer = options.text("vcd-layer");
  run.wide = options.on("wide"), run.quiet = options.on("quiet");
  run.json = options.text("json");
  run.csv = options.text("csv");
  run.html = options.text("html");
  request.pictures = options.has("html");
  run.counters = options.text("counters");
  request.counters = options.has("counters");
  run.vcd = options.text("vcd");
  run.vcd_layer = options.text("vcd-layer");
  run.vcd_windowed = options.has("vcd-window");
  if (run.vcd_windowed) run.vcd_window = parse_window(options.text("vcd-window"));
  run.vcd_window.scope = options.text("vcd-scope", "*");
  check_combination(run, options);
  return run;
}

}  // namespace fansim::cli

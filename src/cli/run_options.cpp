// SPDX-License-Identifier: Apache-2.0
#include "cli/run_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/workers.h"
#include "cli/models/imported_network.h"
#include "cli/options/options.h"
#include "cli/options/part.h"
#include "cli/options/shipped.h"

namespace fansim::cli {
namespace {

using base::UserError;

sim::WaveformWindow parse_window(const char* option, const std::string& text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const auto from = parse_natural(text.substr(0, colon));
  const auto to = parse_natural(text.substr(std::min(colon + 1, text.size())));
  if (!from || !to || *from >= *to || *to >= static_cast<std::uint64_t>(sim::WaveformWindow::kNever / 2))
    throw UserError(fmt::format("run: --{}: expected FROM:TO in cycles, FROM below TO, found '{}'", option, text));
  return {static_cast<sim::Edge>(*from), static_cast<sim::Edge>(*to), "*"};
}

// Parses BUCKET or BUCKET:CYCLES.
void parse_trigger(const std::string& text, runs::Request& request) {
  constexpr std::uint64_t kUsual = 1000, kMost = 1'000'000;
  const std::size_t colon = std::min(text.find(':'), text.size());
  const auto cycles = colon < text.size() ? parse_natural(text.substr(colon + 1)) : kUsual;
  if (colon == 0 || !cycles || *cycles < 1 || *cycles > kMost)
    throw UserError(
        fmt::format("run: --vcd-trigger: expected BUCKET or BUCKET:CYCLES, 1..{} of them, found '{}'", kMost, text));
  request.recorded_bucket = text.substr(0, colon);
  request.recorded_edges = static_cast<sim::Edge>(*cycles);
}

// Waveforms, timelines and counters need the clocked engine; otherwise the fast engine is the default.
runs::Engine parse_engine(const Options& options) {
  const bool clocked = options.has("vcd") || options.has("timeline") || options.has("counters");
  if (!options.has("engine")) return clocked ? runs::Engine::clocked : runs::Engine::fast;
  const std::string word = options.text("engine");
  const std::optional<runs::Engine> engine = runs::engine_of(word);
  if (!engine)
    throw UserError(fmt::format("run: --engine '{}' unknown{}", word, base::did_you_mean(word, runs::engine_names())));
  if (options.has("vcd") && *engine == runs::Engine::fast)
    throw UserError("run: --vcd records the clocked engine, not --engine fast");
  if (options.has("timeline") && *engine == runs::Engine::fast)
    throw UserError("run: --timeline follows the clocked engine, not --engine fast");
  if (options.has("counters") && *engine == runs::Engine::fast)
    throw UserError("run: --counters reads the blocks of the clocked engine, not --engine fast");
  return *engine;
}

bool parse_replay(const Options& options) {
  const std::string word = options.text("replay", "on");
  if (word != "on" && word != "off") throw UserError(fmt::format("run: --replay '{}': allowed: on, off", word));
  return word == "on";
}

int parse_frames(const Options& options) {
  constexpr int kMostFrames = 1'000'000;
  if (!options.has("frames")) return 0;
  const auto frames = options.natural("frames").value_or(0);
  if (frames < 1 || frames > kMostFrames)
    throw UserError(fmt::format("run: --frames {}: allowed: 1..{}", frames, kMostFrames));
  for (const char* name : {"vcd", "timeline"})
    if (options.has(name)) throw UserError(fmt::format("run: --frames are many, --{} records one", name));
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
  needs("timeline-window", !run.timeline.empty(), "--timeline");
  needs("timeline-layer", !run.timeline.empty(), "--timeline");
  needs("vcd-trigger", !run.vcd.empty(), "--vcd");
  needs("vcd-scope", !run.vcd.empty(), "--vcd");
  needs("vcd-words", !run.vcd.empty(), "--vcd");
  const runs::Request& request = run.request;
  for (const char* name : {"shape", "outputs", "calibrate"}) needs(name, is_onnx(request.network), "a network in ONNX");
  needs("labels", !run.inputs.empty(), "--inputs");
  if (run.floats && run.inputs.empty()) throw UserError("run: --floats needs --inputs");
  needs("shard", !run.inputs.empty(), "--inputs");
  needs("jobs", !run.inputs.empty(), "--inputs");
  const auto alone = [&](bool given, const char* name) {
    if (given && !run.inputs.empty())
      throw UserError(fmt::format("run: --inputs runs the whole network on many inputs, --{} is of one run", name));
  };
  for (const char* name : {"input", "out", "layers", "vcd", "timeline", "fault"}) alone(options.has(name), name);
  alone(run.ranges, "ranges");
  if (run.ranges && !request.faults.empty()) throw UserError("run: --ranges are of a machine without --fault");
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
      .values("set", "key.path=value", "override a configuration key; may repeat")
      .value("engine", "fast|clocked", "skip what is known (default), or step each cycle")
      .value("replay", "on|off", "off: recurrences alone, the same results, slower")
      .flag("verify", "compare every output with the reference")
      .flag("cross-check", "both engines, every cycle count and byte alike")
      .value("layers", "A,B..C", "these layers only")
      .value("frames", "N", "so many back to back, and from one to the next")
      .flag("ranges", "what constants that nobody published leave open")
      .values("fault", "kind=K,at=PLACE,...", "let this happen (docs/faults.md); may repeat")
      .flag("allow-slack", "a clock above Fmax is no misfit; it is marked")
      .flag("strict", "refuse layers that need the host's software")
      .flag("timing-only", "no values: cycles and counts only")
      .value("seed", "N", "of the tensors that the network lacks (1)")
      .value("checkpoint", "F", "the weights that `train` left")
      .group("Input")
      .value("input", "F", ".npy, or a picture (.pgm, .ppm, .png)")
      .value("inputs", "F", "many, [N, ...] as .npy: values each, time once")
      .value("labels", "F", "what each of --inputs shows, [N] as .npy")
      .flag("floats", "--inputs through the network of floats too")
      .value("shard", "I/N", "the I-th of N parts of --inputs only")
      .value("jobs", "N", "threads for --inputs (one per processor)")
      .value("shape", "N,C,H,W", "of a NETWORK.onnx that leaves it open")
      .value("outputs", "NAME,NAME...", "those wanted of a NETWORK.onnx")
      .value("calibrate", "F", "float32 inputs for ranges of a NETWORK.onnx")
      .group("Results")
      .flag("mapping", "tiles, passes, bytes of each operand and level")
      .flag("wide", "all columns, however wide the terminal is")
      .flag("quiet,q", "the first line alone")
      .value("json", "F", "the report as JSON")
      .value("csv", "F", "the layers as CSV")
      .value("html", "F", "the report as a page, pictures beside it")
      .value("counters", "F", "what every block counted, as JSON (clocked)")
      .value("out", "F", "the last layer's output: .npy, or a picture")
      .value("dump", "DIR", "every layer's output, DIR/LAYER.npy")
      .group("Waveform and timeline, of the clocked engine")
      .value("vcd", "F", "a waveform, .vcd or .fst")
      .value("vcd-window", "FROM:TO", "of these cycles of the layer, or run")
      .value("vcd-layer", "NAME", "of this layer only")
      .value("vcd-trigger", "BUCKET[:N]", "from this bucket's first cycle on, N (1000)")
      .value("vcd-scope", "GLOB,...", "of these signals or instances only")
      .value("vcd-words", "HOW", "words as strings, enums or both (enums)")
      .value("timeline", "F", "what each block did, for ui.perfetto.dev")
      .value("timeline-window", "FROM:TO", "of these cycles only, as --vcd-window")
      .value("timeline-layer", "NAME", "of this layer only")
      .example("run zcu102_stream alexnet --verify", "every byte compared")
      .example("run zcu102_stream lenet5 --vcd l.vcd --vcd-layer conv2", "a waveform");
  RunOptions run;
  run.help = !options.parse(arguments);
  if (run.help) return run;
  runs::Request& request = run.request;
  request.engine = parse_engine(options);
  request.engine_said = options.has("engine");
  request.replay = parse_replay(options);
  request.cross_check = options.on("cross-check");
  for (const std::string& fault : options.list("fault")) request.faults.push_back(contract::parse_fault(fault));
  request.config = config_file(options.text("CONFIG"));
  request.network = network_file(options.text("NETWORK"));
  run.shape = options.text("shape");
  run.model_outputs = options.text("outputs");
  run.calibration = options.text("calibrate");
  request.overrides = options.list("set");
  request.layers = options.text("layers");
  request.values = !options.on("timing-only");
  request.verify = options.on("verify");
  request.frames = parse_frames(options);
  request.strict = options.on("strict");
  run.allow_slack = options.on("allow-slack");
  run.ranges = options.on("ranges");
  request.seed = options.natural("seed").value_or(1);
  request.input = options.text("input");
  request.checkpoint = options.text("checkpoint");
  run.inputs = options.text("inputs");
  run.labels = options.text("labels");
  run.floats = options.on("floats");
  if (options.has("shard")) run.part = parse_part("run", options.text("shard"));
  run.jobs = parse_jobs(options);
  request.out = options.text("out");
  request.dump_folder = options.text("dump");
  run.vcd_layer = options.text("vcd-layer");
  run.wide = options.on("wide");
  run.quiet = options.on("quiet");
  run.json = options.text("json");
  run.csv = options.text("csv");
  run.html = options.text("html");
  request.pictures = options.has("html");
  request.traffic = options.has("html") || options.has("json");
  run.counters = options.text("counters");
  request.counters = options.has("counters");
  request.mapping = options.on("mapping");
  run.vcd = options.text("vcd");
  run.timeline = options.text("timeline");
  run.timeline_layer = options.text("timeline-layer");
  run.timeline_windowed = options.has("timeline-window");
  if (run.timeline_windowed) run.timeline_window = parse_window("timeline-window", options.text("timeline-window"));
  if (options.has("vcd-trigger")) parse_trigger(options.text("vcd-trigger"), request);
  run.vcd_windowed = options.has("vcd-window");
  if (run.vcd_windowed) run.vcd_window = parse_window("vcd-window", options.text("vcd-window"));
  run.vcd_window.scope = options.text("vcd-scope", "*");
  run.vcd_words = waveforms::parse_words("run", options.text("vcd-words", "enums"));
  check_combination(run, options);
  return run;
}

}  // namespace fansim::cli

// SPDX-License-Identifier: Apache-2.0
#include "runs/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <set>

#include "base/error.h"
#include "base/interrupt.h"
#include "network/picture_tensor.h"
#include "platform/clocked_machine.h"
#include "runs/frames.h"
#include "runs/layer_differences.h"
#include "runs/memory_difference.h"
#include "runs/observer.h"
#include "timing/engine_options.h"
#include "timing/memory_faults.h"

namespace fansim::runs {
namespace {

std::vector<contract::LayerResult> every_layer(const std::vector<contract::LayerPlan>& plans,
                                               const std::vector<contract::LayerResult>& ran,
                                               const Observer& observer) {
  std::vector<contract::LayerResult> all;
  for (const contract::LayerPlan& plan : plans) {
    contract::LayerResult result;
    result.name = plan.name;
    result.type = plan.type;
    result.layer = plan.layer;
    for (const contract::LayerResult& one : ran) {
      if (one.layer == plan.layer) result = one;
    }
    observer.complete(result);
    all.push_back(result);
  }
  return all;
}

// Throws UserError if there are too many frames. The clocked engine steps through all of them.
void check_frames(const Request& request, const contract::Program& program, const contract::FrameRule& rule) {
  constexpr std::int64_t kMostSteps = std::int64_t{1} << 26;
  if (program.ops.empty()) throw base::UserError("run: --frames: no layer runs");
  if (rule.beside > std::numeric_limits<std::int32_t>::max())
    throw base::UserError("run: --frames: a frame's last layers take the host more than 2^31 cycles");
  const auto most = kMostSteps / static_cast<std::int64_t>(program.ops.size());
  const bool stepped = request.cross_check || request.engine == Engine::clocked;
  if (stepped && request.frames > std::max<std::int64_t>(1, most))
    throw base::UserError(fmt::format("run: --frames {}: the clocked engine steps {} of this network at most",
                                      request.frames, std::max<std::int64_t>(1, most)));
}

using Look = std::function<void(const contract::LayerPlan&, const std::uint8_t* ddr, contract::LayerResult&)>;
using Layers = std::vector<contract::LayerResult>;

// Runs one engine after the other on the same program.
class Engines {
 public:
  Engines(const Request& request, const accelerators::Accelerator& accelerator, const contract::FrameRule& rule,
          std::unique_ptr<sim::Waveform> waveform)
      : request_(request), accelerator_(accelerator), rule_(rule), waveform_(std::move(waveform)) {}

  Layers run(Engine engine, contract::Program program, Look look) {
    Layers layers =
        engine == Engine::clocked ? clocked(std::move(program), look) : fast(std::move(program), std::move(look));
    base::stop_if_interrupted();
    return layers;
  }

  // Returns the spans of the layers of all frames, if the clocked engine ran.
  const std::vector<contract::Span>& spans() const { return spans_; }
  // Returns the faults that the engine that ran last met.
  const contract::FaultLog& fault_log() const { return log_; }

 private:
  Layers fast(contract::Program program, Look look) {
    timing::EngineOptions options;
    std::optional<timing::MemoryFaults> faults;
    if (!request_.faults.empty() && request_.values) {
      faults.emplace(request_.faults, request_.seed, program.memory.size());
      options.before_layer = [&faults](const contract::LayerPlan& plan, std::int64_t cycle, std::uint8_t* ddr) {
        faults->before(plan.name, cycle, ddr);
      };
    }
    options.values = request_.values;
    options.replay = request_.replay;
    options.kept = request_.kept;
    options.memory_after = request_.memory_after;
    options.on_layer = std::move(look);
    options.on_progress = request_.on_progress;
    options.stop_requested = base::interrupted;
    Layers layers = accelerator_.run(std::move(program), options);
    if (faults) log_ = faults->log();
    return layers;
  }

  // With several frames, returns the driven layers of the first frame and the rest of the last frame, beside which no
  // next frame runs.
  Layers clocked(contract::Program program, const Look& look) {
    const int frames = std::max(1, request_.frames);
    const std::int64_t first = rule_.driven, last = first * frames;
    platform::MachineOptions options;
    options.values = request_.values;
    if (look)
      options.on_layer = [=, layer = std::int64_t{0}](const auto& plan, const std::uint8_t* ddr, auto& result) mutable {
        const std::int64_t at = layer++;
        if (frames == 1 || at < first || at >= last) look(plan, ddr, result);
      };
    options.on_progress = request_.on_progress;
    options.stop_requested = base::interrupted;
    options.waveform = std::move(waveform_);
    options.waveform_bucket = request_.recorded_bucket;
    options.waveform_edges = request_.recorded_edges;
    options.timeline = request_.timeline;
    options.counters = request_.counters;
    options.faults = request_.faults;
    options.seed = request_.seed;
    const std::unique_ptr<platform::ClockedMachine> machine = accelerator_.machine(
        frames == 1 ? std::move(program) : contract::framed(std::move(program), frames, rule_), std::move(options));
    machine->run();
    base::stop_if_interrupted();
    spans_ = machine->spans();
    log_ = machine->fault_log();
    Layers layers = machine->layers();
    if (frames > 1) layers.erase(layers.begin() + first, layers.begin() + last);
    return layers;
  }

  const Request& request_;
  const accelerators::Accelerator& accelerator_;
  const contract::FrameRule& rule_;
  std::unique_ptr<sim::Waveform> waveform_;
  std::vector<contract::Span> spans_;
  contract::FaultLog log_;
};

// Returns whether a page can show it: a picture of 8 or 16 bits.
bool is_shown(const network::Shape& shape, const network::NumberFormat& format) {
  return network::is_picture(shape, format) && (format.bits == 8 || format.bits == 16);
}

// Keeps the input now. The function that is returned keeps the outputs that no layer reads.
std::function<void(int, const network::Tensor&)> keep_pictures(const network::Network& network, Run& run) {
  const network::Tensor& input = network.input;
  if (is_shown(input.shape, input.format)) run.pictures.push_back({"input", input});
  std::set<int> read;
  for (const network::Layer& layer : network.layers) {
    read.insert(layer.source);
    if (layer.reads_two()) read.insert(layer.with);
  }
  return [&run, &network, read](int layer, const network::Tensor& output) {
    if (read.count(layer) == 0 && is_shown(output.shape, output.format))
      run.pictures.push_back({network.layers[static_cast<std::size_t>(layer)].name, output});
  };
}

}  // namespace

void simulate(const Request& request, const network::Network& network, contract::Program program,
              ReferenceChain& reference, std::unique_ptr<sim::Waveform> waveform, Run& run) {
  const std::vector<contract::LayerPlan> plans = program.layers;
  Observer observer(network, plans, reference, request.verify, request.dump_folder);
  if (request.pictures && request.values) observer.on_output = keep_pictures(network, run);
  const contract::FrameRule rule = request.frames > 0 ? frame_rule(network, program) : contract::FrameRule{};
  if (request.frames > 0) {
    check_frames(request, program, rule);
    run.frames = fast_frames(*run.accelerator, program, rule, request.frames);
  }
  Engines engines(request, *run.accelerator, rule, std::move(waveform));
  MemoryDifference both(program.memory.size());
  run.bytes_compared = request.cross_check && request.values;
  Layers other;
  if (request.cross_check) {
    const Engine second = request.engine == Engine::fast ? Engine::clocked : Engine::fast;
    Look remember;
    if (run.bytes_compared) remember = [&both](const auto&, const std::uint8_t* ddr, auto&) { both.remember(ddr); };
    other = engines.run(second, program, remember);
  }
  Look look;
  if (request.values) {
    look = [&](const contract::LayerPlan& plan, const std::uint8_t* ddr, contract::LayerResult&) {
      observer.layer_done(plan, ddr);
      if (run.bytes_compared) both.compare(plan, ddr);
    };
  }
  const Layers ran = engines.run(request.engine, std::move(program), look);
  run.differences = std::move(observer.differences);
  run.output = std::move(observer.last_output);
  if (!request.faults.empty()) run.faults = engines.fault_log();
  if (request.cross_check) {
    const bool fast = request.engine == Engine::fast;
    for (std::string& difference :
         layer_differences(run.accelerator->account(), fast ? other : ran, fast ? ran : other))
      run.differences.push_back(std::move(difference));
    run.differences.insert(run.differences.end(), both.lines().begin(), both.lines().end());
  }
  if (request.frames > 0 && !engines.spans().empty())
    for (std::string& difference : frame_differences(run.frames, rule, engines.spans()))
      run.differences.push_back(std::move(difference));
  run.layers = every_layer(plans, ran, observer);
}

}  // namespace fansim::runs

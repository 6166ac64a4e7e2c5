// SPDX-License-Identifier: Apache-2.0
#include "platform/clocked_machine.h"

#include <algorithm>
#include <stdexcept>

#include "base/error.h"
#include "contract/layer_counts.h"
#include "contract/result_of.h"
#include "sim/violation.h"

namespace fansim::platform {

namespace {
constexpr const char* kNone = "none";  // shown between layers
}

ClockedMachine::ClockedMachine(contract::Program program, MachineOptions options, base::Rational clock_mhz)
    : program_(std::move(program)),
      options_(std::move(options)),
      clock_(scheduler_.domain("pl", clock_mhz)),
      frame_{program_, options_.values, options_.make_ddr, hooks(), scheduler_, clock_} {
  scheduler_.stop_requested = [this] { return poll(); };
  layer_ = program_.layers.size();
}

void ClockedMachine::record() {
  sim::Waveform& waveform = *options_.waveform;
  waveform.watch(watched(edges_before_), [this] { edges_before_ = shell_->buckets(); });
  if (!options_.waveform_bucket.empty()) {
    const std::vector<std::string> buckets = shell_->account().bucket_names();
    const auto wanted = std::find(buckets.begin(), buckets.end(), options_.waveform_bucket) - buckets.begin();
    waveform.trigger({[this, wanted] { return bucket(edges_before_) == static_cast<std::size_t>(wanted); },
                      options_.waveform_edges});
  }
  scheduler_.record(std::move(options_.waveform));
}

void ClockedMachine::follow() {
  sim::Timeline& timeline = *options_.timeline;
  timeline.watch(watched(timeline_before_));
  scheduler_.each_edge = [this, &timeline](sim::Edge edge) {
    if (timeline.looks(edge)) timeline.sample(edge, modules());
    if (timeline.looks(edge + 1)) timeline_before_ = shell_->buckets();
  };
}

// Returns the layer and the bucket of each edge for recordings. `before` holds the buckets' counts before the edge.
std::vector<sim::Watched> ClockedMachine::watched(const std::vector<base::Cycles>& before) const {
  std::vector<std::string> layers, buckets = shell_->account().bucket_names();
  for (const contract::LayerPlan& plan : program_.layers) layers.push_back(plan.name);
  layers.emplace_back(kNone);
  buckets.emplace_back(kNone);
  return {{"layer", layers, [this] { return layer_; }},
          {"bucket", buckets, [&before, this] { return bucket(before); }}};
}

// Returns the bucket of the edge that has just passed.
std::size_t ClockedMachine::bucket(const std::vector<base::Cycles>& before) const {
  if (layer_ == program_.layers.size()) return shell_->account().buckets.size();
  const std::vector<base::Cycles> now = shell_->buckets();
  for (std::size_t i = 0; i < now.size(); ++i)
    if (now[i] > (before.empty() ? 0 : before[i])) return i;
  return shell_->uncounted();
}

LayerHooks ClockedMachine::hooks() {
  LayerHooks hooks;
  hooks.begin = [this](int i) { begin_layer(i); };
  hooks.end = [this](int i) { end_layer(i); };
  hooks.finished = [this] { scheduler_.finish(); };
  hooks.saw = [this](const std::string& what) {
    fault_log_.events.push_back({shell_->host().now(), layer_name(), contract::FaultEvent::Source::driver, what});
  };
  hooks.gave_up = [this](const std::string& why) {
    fault_log_.gave_up = layer_name().empty() ? why : layer_name() + ": " + why;
  };
  hooks.reset_core = [this] {
    ++fault_log_.attempts;
    scheduler_.at(shell_->host().now() + 1, [this] { scheduler_.reset(shell_->core()); });
  };
  return hooks;
}

void ClockedMachine::run() {
  if (options_.waveform) record();
  if (options_.timeline) follow();
  for (const contract::Fault& fault : options_.faults) injector().add(fault);
  if (injector_ && shell_->host().tries_again() && shell_->core().empty())
    throw base::UserError("host.retry: the core of this machine has no reset, so that no layer can begin again");
  scheduler_.run();
  if (options_.timeline) options_.timeline->finish();
}

void ClockedMachine::run_on(const contract::Fault& fault, sim::Edge end) {
  scheduler_.forget_actions();
  injector().happen_now(fault, now() + 1);
  scheduler_.at(end, [end] { throw sim::Hang("machine", end, "busy without an end"); });
  scheduler_.run_on();
}

Injector& ClockedMachine::injector() {
  if (injector_) return *injector_;
  if (now() > 0) throw std::logic_error("an injector of a machine that runs: its blocks expect no faults");
  injector_ = std::make_unique<Injector>(scheduler_, shell_->ddr(), options_.seed, [this](const std::string& what) {
    fault_log_.events.push_back({clock_.edge, layer_name(), contract::FaultEvent::Source::fault, what});
  });
  return *injector_;
}

std::string ClockedMachine::layer_name() const {
  return layer_ < program_.layers.size() ? program_.layers[layer_].name : "";
}

bool ClockedMachine::poll() {
  if (options_.on_progress) options_.on_progress(shell_->host().fraction_done());
  if (options_.stop_requested && options_.stop_requested()) stopped_ = true;
  return stopped_;
}

std::vector<std::int64_t> ClockedMachine::counts() const {
  std::vector<std::int64_t> counts;
  for (const sim::Module* module : modules())
    for (const sim::Counter* counter : module->counters()) counts.push_back(counter->value());
  return counts;
}

contract::LayerResult ClockedMachine::counted() const {
  contract::LayerResult counted;
  shell_->count(counted);
  counted.buckets = shell_->buckets();
  return counted;
}

std::vector<contract::BlockCount> ClockedMachine::block_counts() const {
  std::vector<contract::BlockCount> counted;
  auto before = counts_before_.begin();
  for (const sim::Module* module : modules())
    for (const sim::Counter* counter : module->counters())
      counted.push_back({module->name(), counter->name, counter->unit, counter->doc, counter->value() - *before++});
  return counted;
}

void ClockedMachine::begin_layer(int index) {
  const contract::LayerPlan& plan = program_.layers[static_cast<std::size_t>(index)];
  shell_->quiesce();
  before_ = counted();
  shell_->begin(plan);
  layer_start_ = shell_->host().now();
  if (options_.counters) counts_before_ = counts();
  layer_ = static_cast<std::size_t>(index);
  if (injector_) injector_->begin_layer(plan.name, layer_start_);
}

void ClockedMachine::end_layer(int index) {
  const contract::LayerPlan& plan = program_.layers[static_cast<std::size_t>(index)];
  contract::LayerResult result = contract::result_of(plan);
  result.cycles = shell_->host().now() - layer_start_;
  shell_->end();
  shell_->count(result);
  result.buckets = shell_->buckets();
  contract::subtract(result, before_, shell_->account());
  shell_->settle(result);
  if (result.buckets.size() < shell_->account().buckets.size()) contract::add_rest(result);
  if (options_.values) result.saturation = shell_->take_saturation();
  if (options_.counters) result.counters = block_counts();
  if (options_.values && plan.host) shell_->ddr().change(plan.host);
  if (options_.on_layer) options_.on_layer(plan, shell_->ddr().data(), result);
  results_.push_back(std::move(result));
  spans_.push_back({layer_start_, shell_->host().now()});
  layer_ = program_.layers.size();
}

}  // namespace fansim::platform

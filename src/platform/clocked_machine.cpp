// SPDX-License-Identifier: Apache-2.0
#include "platform/clocked_machine.h"

#include "contract/result_of.h"

namespace fansim::platform {

ClockedMachine::ClockedMachine(contract::Program program, MachineOptions options, base::Rational clock_mhz)
    : program_(std::move(program)), options_(std::move(options)), clock_(scheduler_.domain("pl", clock_mhz)) {
  scheduler_.stop_requested = [this] { return poll(); };
  if (options_.waveform) {
    waveform_ = options_.waveform.get();
    if (!options_.waveform_layer.empty())
      waveform_->window() = {sim::WaveformWindow::kNever, 0, waveform_->window().scope};
    scheduler_.record(std::move(options_.waveform));
  }
}

LayerHooks ClockedMachine::hooks() {
  return {[this](int i) { begin_layer(i); }, [this](int i) { end_layer(i); }, [this] { scheduler_.finish(); }};
}

bool ClockedMachine::poll() {
  if (options_.on_progress) options_.on_progress(host().fraction_done());
  if (options_.stop_requested && options_.stop_requested()) stopped_ = true;
  return stopped_;
}

std::vector<std::int64_t> ClockedMachine::counts() const {
  std::vector<std::int64_t> counts;
  for (const sim::Module* module : modules())
    for (const sim::Counter* counter : module->counters()) counts.push_back(counter->value());
  return counts;
}

std::vector<contract::BlockCount> ClockedMachine::counted() const {
  std::vector<contract::BlockCount> counted;
  auto before = counts_before_.begin();
  for (const sim::Module* module : modules())
    for (const sim::Counter* counter : module->counters())
      counted.push_back({module->name(), counter->name, counter->unit, counter->doc, counter->value() - *before++});
  return counted;
}

void ClockedMachine::begin_layer(int index) {
  const contract::LayerPlan& plan = program_.layers[static_cast<std::size_t>(index)];
  begin(plan);
  layer_start_ = host().now();
  if (options_.counters) counts_before_ = counts();
  if (waveform_ && plan.name == options_.waveform_layer) waveform_->window().from = host().now();
}

void ClockedMachine::end_layer(int index) {
  const contract::LayerPlan& plan = program_.layers[static_cast<std::size_t>(index)];
  contract::LayerResult result = contract::result_of(plan);
  result.cycles = host().now() - layer_start_;
  end(result);
  if (options_.counters) result.counters = counted();
  if (options_.values && plan.host) ddr().change(plan.host);
  if (options_.on_layer) options_.on_layer(plan, ddr().data(), result);
  results_.push_back(std::move(result));
  spans_.push_back({layer_start_, host().now()});
  if (waveform_ && plan.name == options_.waveform_layer) waveform_->window().to = host().now();
}

}  // namespace fansim::platform

// SPDX-License-Identifier: Apache-2.0
#include "systems/clocked_machine.h"

#include "arch/result_of.h"

namespace fansim::systems {

ClockedMachine::ClockedMachine(arch::Program program, MachineOptions options, base::Rational clock_mhz)
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
  return {[this](int i) { begin_layer(i); }, [this](int i) { end_layer(i); }};
}

bool ClockedMachine::poll() {
  if (options_.on_progress) options_.on_progress(host().fraction_done());
  if (options_.stop_requested && options_.stop_requested()) stopped_ = true;
  return stopped_;
}

void ClockedMachine::begin_layer(int index) {
  const arch::LayerPlan& plan = program_.layers[static_cast<std::size_t>(index)];
  begin(plan);
  layer_start_ = host().now();
  if (waveform_ && plan.name == options_.waveform_layer) waveform_->window().from = host().now();
}

void ClockedMachine::end_layer(int index) {
  const arch::LayerPlan& plan = program_.layers[static_cast<std::size_t>(index)];
  arch::LayerResult result = arch::result_of(plan);
  result.cycles = host().now() - layer_start_;
  end(result);
  if (options_.on_layer) options_.on_layer(plan, ddr(), result);
  results_.push_back(std::move(result));
  if (waveform_ && plan.name == options_.waveform_layer) waveform_->window().to = host().now();
}

}  // namespace fansim::systems

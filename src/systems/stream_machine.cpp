// SPDX-License-Identifier: Apache-2.0
#include "systems/stream_machine.h"

namespace fansim::systems {

StreamMachine::StreamMachine(const arch::StreamConfig& config, arch::Program program, StreamOptions options)
    : program_(std::move(program)),
      options_(std::move(options)),
      clock_(scheduler_.domain("pl", config.clock_mhz)),
      accelerator_("top", clock_, config, program_, options_.make_ddr, options_.values,
                   LayerHooks{[this](int i) { begin_layer(i); }, [this](int i) { end_layer(i); }},
                   [this] { scheduler_.finish(); }) {
  scheduler_.stop_requested = [this] { return poll(); };
  if (options_.waveform) {
    waveform_ = options_.waveform.get();
    if (!options_.waveform_layer.empty())
      waveform_->window() = {sim::WaveformWindow::kNever, 0, waveform_->window().scope};
    scheduler_.record(std::move(options_.waveform));
  }
}

void StreamMachine::run() { scheduler_.run(); }

bool StreamMachine::poll() {
  if (options_.on_progress) options_.on_progress(accelerator_.blocks.host.fraction_done());
  if (options_.stop_requested && options_.stop_requested()) stopped_ = true;
  return stopped_;
}

void StreamMachine::begin_layer(int index) {
  StreamBlocks& blocks = accelerator_.blocks;
  blocks.ddr->quiesce();
  accelerator_.account.begin_layer();
  layer_start_ = blocks.host.now();
  read_before_ = blocks.dma.mm2s.bytes();
  written_before_ = blocks.dma.s2mm.bytes();
  if (waveform_ && program_.layers[static_cast<std::size_t>(index)].name == options_.waveform_layer)
    waveform_->window().from = blocks.host.now();
}

void StreamMachine::end_layer(int index) {
  StreamBlocks& blocks = accelerator_.blocks;
  const arch::LayerPlan& plan = program_.layers[static_cast<std::size_t>(index)];
  arch::LayerResult result;
  result.name = plan.name;
  result.type = plan.type;
  result.layer = plan.layer;
  result.macs = plan.macs;
  result.cycles = blocks.host.now() - layer_start_;
  result.buckets = accelerator_.account.end_layer();
  result.bytes_read = blocks.dma.mm2s.bytes() - read_before_;
  result.bytes_written = blocks.dma.s2mm.bytes() - written_before_;
  if (options_.on_layer) options_.on_layer(plan, blocks.ddr->data(), result);
  results_.push_back(std::move(result));
  if (waveform_ && plan.name == options_.waveform_layer) waveform_->window().to = blocks.host.now();
}

}  // namespace fansim::systems

// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/timing/vision_timing.h"

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "accelerators/vision/config/account.h"
#include "accelerators/vision/config/layer.h"
#include "accelerators/vision/config/rows.h"
#include "accelerators/vision/timing/pixel_flow.h"
#include "contract/result_of.h"
#include "timing/memory.h"
#include "timing/trains/memory.h"

namespace fansim::vision {
namespace {

using contract::HostConfig;
using timing::Edge;

constexpr int kPorts = 2;

class Layer : public contract::HostFollower {
 public:
  Layer(const Config& config, const contract::ProgressCallback& progress)
      : config_(config),
        progress_(progress),
        memory_(timing::trains::make_memory(config.ddr, config.axi.beat_bytes(), config.clock_mhz, kPorts)),
        image_(config.dma, config.axi, *memory_, 0),
        second_(config.dma, config.axi, *memory_, 1),
        writes_(config.dma, config.axi, *memory_, 0) {}

  void software(std::uint32_t cycles, bool) { now_ += cycles; }
  void write_core(std::uint32_t address, std::uint32_t value) {
    const Edge taken = now_ + config_.host.register_write + HostConfig::kActs;
    now_ += config_.host.register_write + HostConfig::kAnswered;
    registers_.words[address / 4] = value;
    if (address == JobRegisters::start_offset()) run(taken + 1);
  }
  // The line is a register behind the rows' block, and so is the host's look.
  void wait_output() { now_ = std::max(now_, finished_ + 1) + config_.host.interrupt; }

  void finish(contract::LayerResult& result, const VisionLayer& layer) const {
    result.cycles = now_;
    result.bytes_read = image_.bytes() + second_.bytes();
    result.bytes_written = writes_.bytes();
    kPixels.set(result, samples_);
    kUnits.set(result, layer.units);
    result.buckets = {streamed_, flushed_, waited_output_, waited_input_, drained_, 0};
    Edge busy = 0;
    for (const Edge cycles : result.buckets) busy += cycles;
    result.buckets[kHost] = now_ - busy;
  }

 private:
  // The blocks pop the job at `start`.
  void run(Edge start) {
    const Job job = decode(registers_);
    image_.begin(rows_of(job, Rows::image), start);
    second_.begin(rows_of(job, Rows::second), start);
    writes_.begin(rows_of(job, Rows::result), start);
    PixelFlow flow(config_, job, start, image_, second_, writes_);
    const auto done = [&] { return writes_.done() && flow.done(); };
    for (int decisions = 0; !done(); ++decisions) {
      if (progress_ && decisions % kDecisionsPerCall == 0) progress_();
      while (flow.advance() | image_.ask() | second_.ask() | writes_.ask()) {
      }
      if (!done() && !memory_->next()) throw std::logic_error("timing: a result that never leaves");
    }
    finished_ = std::max(writes_.answered() + 1, flow.last_taken());
    streamed_ += flow.streamed();
    flushed_ += flow.flushed();
    waited_output_ += flow.waited_output();
    waited_input_ += flow.waited_input();
    drained_ += finished_ - flow.last_sent();
    samples_ += flow.samples();
  }

  static constexpr int kDecisionsPerCall = 1024;
  const Config& config_;
  const contract::ProgressCallback& progress_;
  const std::unique_ptr<timing::Memory> memory_;
  timing::RowReads image_, second_;
  timing::RowWrites writes_;
  JobRegisters registers_;
  Edge now_ = 0, finished_ = 0;
  Edge streamed_ = 0, flushed_ = 0, waited_output_ = 0, waited_input_ = 0, drained_ = 0;
  std::int64_t samples_ = 0;
};

}  // namespace

contract::LayerResult run_layer(const Config& config, const contract::Program& program,
                                const contract::LayerSteps& layer, const contract::ProgressCallback& progress) {
  Layer timed(config, progress);
  contract::follow(program, layer, timed, progress);
  contract::LayerResult result = contract::result_of(*layer.plan);
  timed.finish(result, layer_of(*layer.plan));
  return result;
}

}  // namespace fansim::vision

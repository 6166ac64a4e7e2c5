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
#include "timing/host_clock.h"
#include "timing/memory.h"
#include "timing/trains/memory.h"

namespace fansim::vision {
namespace {

using timing::Edge;

constexpr int kPorts = 2;

class Layer final : public timing::JobHost {
 public:
  Layer(const Config& config, const VisionLayer& layer, const contract::ProgressCallback& progress, bool replay)
      : JobHost(config.host, registers_),
        config_(config),
        layer_(layer),
        progress_(progress),
        replay_(replay),
        memory_((replay ? timing::trains::make_memory : timing::make_memory)(config.ddr, config.axi.beat_bytes(),
                                                                             config.clock_mhz, kPorts)),
        image_(config.dma, config.axi, *memory_, 0, replay),
        second_(config.dma, config.axi, *memory_, 1, replay),
        writes_(config.dma, config.axi, *memory_, 0, replay) {}

 private:
  void count(contract::LayerResult& result) override {
    result.bytes_read = image_.bytes() + second_.bytes();
    result.bytes_written = writes_.bytes();
    kPixels.set(result, samples_);
    kUnits.set(result, layer_.units);
    result.buckets = {streamed_, flushed_, waited_output_, waited_input_, drained_};
  }

  // The blocks pop the job an edge after its start is taken.
  Edge run_job(const contract::JobRegisters& registers, Edge taken) override {
    const Job job = decode(registers);
    const Edge start = taken + 1;
    image_.begin(rows_of(job, Rows::image), start);
    second_.begin(rows_of(job, Rows::second), start);
    writes_.begin(rows_of(job, Rows::result), start);
    PixelFlow flow(config_, job, start, image_, second_, writes_, replay_);
    const auto done = [&] { return writes_.done() && flow.done(); };
    for (int decisions = 0; !done(); ++decisions) {
      if (progress_ && decisions % kDecisionsPerCall == 0) progress_();
      while (flow.advance() | image_.ask() | second_.ask() | writes_.ask()) {
      }
      if (!done() && !memory_->next()) throw std::logic_error("timing: a result that never leaves");
    }
    const Edge finished = std::max(writes_.answered() + 1, flow.last_taken());
    streamed_ += flow.streamed();
    flushed_ += flow.flushed();
    waited_output_ += flow.waited_output();
    waited_input_ += flow.waited_input();
    drained_ += finished - flow.last_sent();
    samples_ += flow.samples();
    return finished;
  }

  static constexpr int kDecisionsPerCall = 1024;
  const Config& config_;
  const VisionLayer& layer_;
  const contract::ProgressCallback& progress_;
  const bool replay_;
  const std::unique_ptr<timing::Memory> memory_;
  timing::RowReads image_, second_;
  timing::RowWrites writes_;
  JobRegisters registers_;
  Edge streamed_ = 0, flushed_ = 0, waited_output_ = 0, waited_input_ = 0, drained_ = 0;
  std::int64_t samples_ = 0;
};

}  // namespace

contract::LayerResult run_layer(const Config& config, const contract::Program& program,
                                const contract::LayerSteps& layer, const contract::ProgressCallback& progress,
                                bool replay) {
  return Layer(config, layer_of(*layer.plan), progress, replay).run(program, layer, progress);
}

}  // namespace fansim::vision

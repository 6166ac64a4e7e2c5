// SPDX-License-Identifier: Apache-2.0
#include "accelerators/trainer/timing/trainer_timing.h"

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "accelerators/trainer/config/softmax.h"
#include "accelerators/trainer/config/transfers.h"
#include "contract/result_of.h"
#include "timing/host_clock.h"
#include "timing/memory.h"
#include "timing/row_reads.h"
#include "timing/row_writes.h"
#include "timing/trains/memory.h"

namespace fansim::trainer {
namespace {

using timing::Edge;

constexpr int kPorts = 1;

class Layer final : public timing::JobHost {
 public:
  Layer(const Config& config, Left& left)
      : JobHost(config.host, left.registers),
        config_(config),
        memory_(timing::trains::make_memory(config.ddr, config.axi.beat_bytes(), config.clock_mhz, kPorts)),
        reads_(config.dma, config.axi, *memory_, 0),
        writes_(config.dma, config.axi, *memory_, 0),
        left_(left) {
    writes_.idle_from(left.idle_from);
  }

 private:
  void count(contract::LayerResult& result) override {
    left_.idle_from = std::max(timing::kLongAgo, writes_.idle_from() - now());
    result.bytes_read = reads_.bytes();
    result.bytes_written = writes_.bytes();
    kImages.set(result, images_);
    result.buckets = buckets_;
  }

  // The controller pops the write at `taken` and pushes the first phase's start.
  Edge run_job(const contract::JobRegisters& registers, Edge taken) override {
    const Job job = decode(registers);
    images_ += job.command == Command::infer || job.command == Command::train;
    Edge start = taken + 1;
    for (const Phase& phase : phases_of(job)) {
      const Edge ended = end_of(job, phase, start);
      // The controller sees the end an edge later, pushes the next start, which is popped another one later.
      buckets_[phase.bucket] += ended + 2 - start;
      start = ended + 2;
    }
    return start - 1;
  }

  Edge end_of(const Job& job, const Phase& phase, Edge start) {
    if (phase.kind == PhaseKind::load) return load(job, start);
    if (phase.kind == PhaseKind::store) return store(job, start);
    return start + phase_edges(config_, job, phase);
  }

  // A beat's values are written one per edge from behind its pop, and the next is popped with the last of them.
  Edge load(const Job& job, Edge start) {
    reads_.begin(load_transfer(job, config_.axi), start);
    const std::int64_t per_beat = config_.axi.beat_bytes() / loaded_value_bytes(job);
    Edge last = start + 1;
    for (std::int64_t left = loaded_values(job); left > 0;) {
      Edge popped = 0;
      while (!reads_.next(last, popped)) advance();
      const std::int64_t values = std::min(left, per_beat);
      last = popped + values;
      left -= values;
    }
    return last;
  }

  // A word per edge; a complete beat leaves an edge later, or when there is room.
  Edge store(const Job& job, Edge start) {
    writes_.begin(store_transfer(job, config_.axi), start);
    const std::int64_t per_beat = config_.axi.beat_bytes() / kWordBytes;
    Edge take = start + kReadLatency + 1;
    for (std::int64_t left = stored_values(job); left > 0;) {
      const std::int64_t words = std::min(left, per_beat);
      while (!writes_.has_room()) advance();
      take = std::max(take + words, writes_.room());
      writes_.push(take);
      left -= words;
    }
    while (!writes_.done()) advance();
    return writes_.answered() + 1;
  }

  void advance() {
    if (reads_.ask() | writes_.ask()) return;
    if (!memory_->next()) throw std::logic_error("timing: a transfer that never ends");
  }

  const Config& config_;
  const std::unique_ptr<timing::Memory> memory_;
  timing::RowReads reads_;
  timing::RowWrites writes_;
  Left& left_;
  std::int64_t images_ = 0;
  std::vector<Edge> buckets_ = std::vector<Edge>(kHost, 0);
};

}  // namespace

std::int64_t phase_edges(const Config& config, const Job& job, const Phase& phase) {
  const LayerEntry& layer = job.layer(phase.layer);
  switch (phase.kind) {
    case PhaseKind::pool:
      return layer.out_words() * layer.kernel * layer.kernel + kPoolLatency;
    case PhaseKind::unpool:
      return layer.in_words() + kPoolLatency;
    case PhaseKind::softmax: {
      std::int64_t edges = 0;
      for (const SoftmaxTiming& pass : softmax_passes(config, job.command == Command::train))
        edges += pass.edges(layer.in_words());
      return edges;
    }
    case PhaseKind::update:
      return layer.weights() + kUpdateLatency;
    default:
      return product_slots({phase.kind, layer}, block_of(config, job, phase.layer).accumulators) + kMacLatency;
  }
}

contract::LayerResult run_layer(const Config& config, const contract::Program& program,
                                const contract::LayerSteps& layer, const contract::ProgressCallback& progress,
                                Left& left) {
  return Layer(config, left).run(program, layer, progress);
}

}  // namespace fansim::trainer

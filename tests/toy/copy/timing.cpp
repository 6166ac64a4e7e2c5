// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "rules/burst.h"
#include "timing/host_clock.h"
#include "timing/memory.h"
#include "toy/copy/copy.h"

namespace fansim::copy {
namespace {

using timing::Edge;

// Follows the host's steps of a layer and the engine's bursts, edge by edge as docs/timing.md describes them.
class Layer : public timing::JobHost, private timing::ReadSink, private timing::WriteSource {
 public:
  explicit Layer(const Config& config)
      : JobHost(config.host, registers_),
        config_(config),
        memory_(timing::make_memory(config.ddr, config.axi.beat_bytes(), config.clock_mhz, 1)) {}

 private:
  // The first burst is asked for an edge after the start is taken; the last response raises the interrupt.
  Edge run_job(const contract::JobRegisters& registers, Edge taken) override {
    Edge ask = taken + 1;
    for (Job job = job_of(registers); job.beats > 0; job.advance(beats_, config_.axi.beat_bytes())) {
      beats_ = rules::burst_beats(job.source, job.beats, config_.port());
      received_ = 0;
      memory_->read(0, *this, ask + 1, job.source, beats_);
      while (received_ < beats_) memory_->next();
      announce_ = last_ + 2;  // the last beat is popped an edge after it left, and AW is pushed an edge later
      answered_ = timing::kNever;
      memory_->write(0, *this, announce_ + 1, job.destination, beats_);
      while (answered_ == timing::kNever) memory_->next();
      reading_ += announce_ - ask;
      ask = answered_ + 1;
      writing_ += ask - announce_;
      copied_ += beats_;
      ++bursts_;
    }
    return answered_;
  }
  void count(contract::LayerResult& result) override {
    result.bytes_read = result.bytes_written = copied_ * config_.axi.beat_bytes();
    kBursts.set(result, bursts_);
    result.buckets = {reading_, writing_};
  }

  Edge data(int beats, Edge from) override {
    const Edge first = received_ == 0 ? from : std::max(from, last_ + 1);
    received_ += beats;
    return last_ = first + beats - 1;
  }
  // The beats follow AW, one per edge; the first is visible two edges later.
  void take(Edge from) override { memory_->written(0, beats_, std::max(from, announce_ + 2)); }
  void respond(Edge from) override { answered_ = from + 1; }

  const Config& config_;
  const std::unique_ptr<timing::Memory> memory_;
  contract::JobRegisters registers_{kRegisters};
  int beats_ = 0, received_ = 0;  // of the burst
  Edge last_ = 0, announce_ = 0, answered_ = 0;
  std::int64_t bursts_ = 0, copied_ = 0, reading_ = 0, writing_ = 0;
};

}  // namespace

contract::LayerResult run_layer(const Config& config, const contract::Program& program,
                                const contract::LayerSteps& layer) {
  return Layer(config).run(program, layer);
}

void copy_layer(const Config& config, contract::Program& program, const contract::LayerSteps& layer) {
  contract::JobRegisters registers(kRegisters);
  std::uint8_t* memory = program.memory.data();
  contract::each_job(program, layer, registers, [&] {
    const auto [source, destination, beats] = job_of(registers);
    std::memmove(memory + destination, memory + source, beats * static_cast<std::size_t>(config.axi.beat_bytes()));
  });
}

}  // namespace fansim::copy

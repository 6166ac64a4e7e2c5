// SPDX-License-Identifier: Apache-2.0
#include "toy/copy/timing.h"

#include <algorithm>
#include <cstring>

#include "contract/result_of.h"
#include "rules/burst.h"
#include "timing/host_clock.h"
#include "timing/memory.h"
#include "toy/copy/account.h"

namespace fansim::copy {
namespace {

using timing::Edge;

// The host's steps of a layer beside the engine's bursts, edge by edge of docs/timing.md.
class Layer : public timing::JobHost, private timing::ReadSink, private timing::WriteSource {
 public:
  explicit Layer(const Config& config)
      : JobHost(config.host, registers_),
        config_(config),
        memory_(timing::make_memory(config.ddr, config.axi.beat_bytes(), config.clock_mhz, 1)) {}

  void finish(contract::LayerResult& result) const {
    result.cycles = now();
    result.bytes_read = result.bytes_written = beats_copied_ * config_.axi.beat_bytes();
    kBursts.set(result, bursts_);
    result.buckets = {reading_, writing_};
    contract::add_rest(result);
  }

 private:
  // Burst by burst, the first asked for an edge after the start is taken. The interrupt rises with the last response.
  Edge run_job(const contract::JobRegisters& registers, Edge taken) override {
    auto [source, destination, left] = job_of(registers);
    Edge ask = taken + 1;
    while (left > 0) {
      beats_ = rules::burst_beats(source, left, config_.port());
      received_ = 0;
      memory_->read(0, *this, ask + 1, source, beats_);
      while (received_ < beats_) memory_->next();
      announce_ = last_ + 2;  // the last beat is popped an edge after it left, and AW pushed an edge later
      reading_ += announce_ - ask;
      answered_ = timing::kNever;
      memory_->write(0, *this, announce_ + 1, destination, beats_);
      while (answered_ == timing::kNever) memory_->next();
      writing_ += answered_ + 1 - announce_;
      ask = answered_ + 1;
      ++bursts_;
      beats_copied_ += beats_;
      left -= beats_;
      const auto bytes = static_cast<std::uint32_t>(beats_ * config_.axi.beat_bytes());
      source += bytes;
      destination += bytes;
    }
    return answered_;
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
  int beats_ = 0, received_ = 0;
  Edge last_ = 0, announce_ = 0, answered_ = 0;
  std::int64_t bursts_ = 0, beats_copied_ = 0, reading_ = 0, writing_ = 0;
};

}  // namespace

contract::LayerResult run_layer(const Config& config, const contract::Program& program,
                                const contract::LayerSteps& layer) {
  Layer timed(config);
  contract::follow(program, layer, timed, {});
  contract::LayerResult result = contract::result_of(*layer.plan);
  timed.finish(result);
  return result;
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

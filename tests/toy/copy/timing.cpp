// SPDX-License-Identifier: Apache-2.0
#include "toy/copy/timing.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "contract/result_of.h"
#include "rules/burst.h"
#include "timing/memory.h"
#include "toy/copy/account.h"

namespace fansim::copy {
namespace {

using contract::HostConfig;
using timing::Edge;

// The registers as the host's steps leave them.
struct Registers : contract::HostFollower {
  void software(std::uint32_t, bool) {}
  void write_core(std::uint32_t address, std::uint32_t value) {
    if (address != kStart) words[address / 4] = value;
  }
  void wait_output() {}

  std::array<std::uint32_t, 3> words{};
};

// The host's steps of a layer beside the engine's bursts, edge by edge of docs/timing.md.
class Layer : public contract::HostFollower, private timing::ReadSink, private timing::WriteSource {
 public:
  explicit Layer(const Config& config)
      : config_(config), memory_(timing::make_memory(config.ddr, config.axi.beat_bytes(), config.clock_mhz, 1)) {}

  void software(std::uint32_t cycles, bool) { now_ += cycles; }
  void write_core(std::uint32_t address, std::uint32_t value) {
    const Edge taken = now_ + config_.host.register_write + HostConfig::kActs;
    now_ += config_.host.register_write + HostConfig::kAnswered;
    registers_.write_core(address, value);
    if (address == kStart) copy(taken + 1);
  }
  // An interrupt is seen two edges after the last response is taken: the line is a register, and so is the host's look.
  void wait_output() { now_ = std::max(now_, finished_ + 1) + config_.host.interrupt; }

  void finish(contract::LayerResult& result) const {
    result.cycles = now_;
    result.bytes_read = result.bytes_written = beats_copied_ * config_.axi.beat_bytes();
    kBursts.set(result, bursts_);
    result.buckets.resize(kBuckets);
    result.buckets[kRead] = reading_;
    result.buckets[kWrite] = writing_;
    result.buckets[kHost] = now_ - reading_ - writing_;
  }

 private:
  // Burst by burst, the first asked for at edge `ask`.
  void copy(Edge ask) {
    std::uint32_t source = registers_.words[kSource / 4], destination = registers_.words[kDestination / 4];
    std::int64_t left = registers_.words[kBeats / 4];
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
      finished_ = answered_;
      ++bursts_;
      beats_copied_ += beats_;
      left -= beats_;
      const auto bytes = static_cast<std::uint32_t>(beats_ * config_.axi.beat_bytes());
      source += bytes;
      destination += bytes;
    }
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
  Registers registers_;
  Edge now_ = 0;
  Edge finished_ = 0;  // the last response taken
  int beats_ = 0, received_ = 0;
  Edge last_ = 0, announce_ = 0, answered_ = 0;
  std::int64_t bursts_ = 0, beats_copied_ = 0, reading_ = 0, writing_ = 0;
};

}  // namespace

contract::LayerResult run_layer(const Config& config, const contract::Program& program,
                                const contract::LayerSteps& layer) {
  Layer timed(config);
  for (std::size_t i = layer.first; i < layer.last; ++i) contract::follow(program.ops[i], timed);
  contract::LayerResult result = contract::result_of(*layer.plan);
  timed.finish(result);
  return result;
}

void copy_layer(const Config& config, contract::Program& program, const contract::LayerSteps& layer) {
  Registers registers;
  for (std::size_t i = layer.first; i < layer.last; ++i) contract::follow(program.ops[i], registers);
  const auto& [source, destination, beats] = registers.words;
  std::memmove(program.memory.data() + destination, program.memory.data() + source,
               static_cast<std::size_t>(beats) * static_cast<std::size_t>(config.axi.beat_bytes()));
}

}  // namespace fansim::copy

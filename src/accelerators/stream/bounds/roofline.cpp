// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/bounds/roofline.h"

#include <algorithm>

#include "accelerators/stream/config/command.h"
#include "arith/lut_kernel.h"
#include "contract/dma_map.h"
#include "contract/host_steps.h"

namespace fansim::stream {
namespace {

using base::Cycles;

// The host's steps take what docs/timing.md says; a transfer a cycle for each beat, a job one for each column of its
// passes, and memory nothing.
class HostWalk : public contract::HostFollower {
 public:
  HostWalk(const Config& config, bool reloads)
      : host_(config.host),
        beat_bytes_(config.axi.beat_bytes()),
        set_cycles_(std::max(config.array.cols, reloads ? arith::kReloadCycles : 0)) {}

  void software(std::uint32_t cycles, bool) { now_ += cycles; }
  void write_core(std::uint32_t address, std::uint32_t value) {
    command_.write(address, value);
    if (address == register_offset(1) && ((*command_).start_conv || (*command_).start_recurrent))
      finished_ = acts() + least_of(*command_);
    now_ += host_.register_write + contract::HostConfig::kAnswered;
  }
  void write_dma(std::uint32_t address, std::uint32_t value) {
    if (address == contract::dma_map::kMm2sLength) transferred_ = acts() + base::ceil_div<Cycles>(value, beat_bytes_);
    now_ += host_.register_write + contract::HostConfig::kAnswered;
  }
  void poll_mm2s() { now_ = std::max(now_ + host_.register_read, transferred_) + contract::HostConfig::kAnswered; }
  void wait_job() { wait_output(); }
  void wait_output() { now_ = std::max(now_, finished_) + host_.interrupt; }
  Cycles now() const { return now_; }

 private:
  Cycles acts() const { return now_ + host_.register_write + contract::HostConfig::kActs; }

  // A pass lasts a cycle per column, and from set to set of weights as long as a set takes into the array
  // (docs/timing.md, "Multipliers in LUTs").
  Cycles least_of(const Command& job) const {
    const Cycles passes = job.passes();
    return std::max(passes * job.columns, (passes - 1) * std::max(job.columns, set_cycles_));
  }

  const contract::HostConfig& host_;
  const int beat_bytes_;
  const int set_cycles_;
  WrittenCommand command_;
  Cycles now_ = 0;
  Cycles transferred_ = 0;  // the last beat
  Cycles finished_ = 0;     // the job
};

}  // namespace

Cycles least_cycles(const contract::Program& program, const Config& config, bool reloads) {
  HostWalk walk(config, reloads);
  std::size_t at = 0;
  contract::LayerSteps layer;
  contract::next_layer(program, at, layer);
  for (std::size_t i = layer.first; i < layer.last; ++i) contract::follow(program.ops[i], walk);
  return walk.now();
}

}  // namespace fansim::stream

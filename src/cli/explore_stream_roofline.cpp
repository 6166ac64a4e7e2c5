// SPDX-License-Identifier: Apache-2.0
#include "cli/explore_stream_roofline.h"

#include <algorithm>

#include "arch/command.h"
#include "arch/dma_map.h"
#include "arith/lut_kernel.h"

namespace fansim::cli {
namespace {

using base::Cycles;
using Kind = arch::HostOp::Kind;

// The host's steps take what docs/timing.md says; a transfer a cycle for each beat, a job one for each column of its
// passes, and memory nothing.
class HostWalk {
 public:
  HostWalk(const arch::StreamConfig& config, bool reloads)
      : host_(config.host),
        beat_bytes_(config.axi.beat_bytes()),
        set_cycles_(std::max(config.array.cols, reloads ? arith::kReloadCycles : 0)) {}

  void step(const arch::HostOp& op) {
    switch (op.kind) {
      case Kind::begin_layer:
        now_ = 0;
        break;
      case Kind::software:
        now_ += op.value;
        break;
      case Kind::write_core:
        write_core(op);
        now_ += host_.register_write + kAnswered;
        break;
      case Kind::write_dma:
        if (op.address == arch::dma_map::kMm2sLength)
          transferred_ = acts() + base::ceil_div<Cycles>(op.value, beat_bytes_);
        now_ += host_.register_write + kAnswered;
        break;
      case Kind::poll_mm2s:
        now_ = std::max(now_ + host_.register_read, transferred_) + kAnswered;
        break;
      case Kind::wait_job:
      case Kind::wait_output:
        now_ = std::max(now_, finished_) + host_.interrupt;
        break;
      default:
        break;
    }
  }
  Cycles now() const { return now_; }

 private:
  // A register access acts an edge after its request; its response is there another edge later.
  static constexpr Cycles kActs = 1, kAnswered = 2;
  Cycles acts() const { return now_ + host_.register_write + kActs; }

  void write_core(const arch::HostOp& op) {
    registers_.write(op.address, op.value);
    if (op.address != arch::register_offset(1)) return;
    const arch::Command command = arch::decode(registers_);
    if (command.start_conv || command.start_recurrent) finished_ = acts() + least_of(command);
  }

  // A pass lasts a cycle per column, and from set to set of weights as long as a set takes into the array
  // (docs/timing.md, "Multipliers in LUTs").
  Cycles least_of(const arch::Command& job) const {
    const Cycles passes = job.passes();
    return std::max(passes * job.columns, (passes - 1) * std::max(job.columns, set_cycles_));
  }

  const arch::HostConfig& host_;
  const int beat_bytes_;
  const int set_cycles_;
  arch::RegisterImage registers_;
  Cycles now_ = 0;
  Cycles transferred_ = 0;  // the last beat
  Cycles finished_ = 0;     // the job
};

}  // namespace

Cycles least_cycles(const arch::Program& program, const arch::StreamConfig& config, bool reloads) {
  HostWalk walk(config, reloads);
  for (const arch::HostOp& op : program.ops) walk.step(op);
  return walk.now();
}

}  // namespace fansim::cli

// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/bounds/roofline.h"

#include <algorithm>

#include "accelerators/stream/config/command.h"
#include "arith/lut_kernel.h"
#include "contract/host.h"

namespace fansim::stream {
namespace {

using base::Cycles;

// Adds up lower bounds. The host's steps take what docs/timing.md says, a transfer takes a cycle per beat, a job takes
// a cycle per column of its passes, and the memory takes no time.
class HostWalk {
 public:
  HostWalk(const HostTrace& trace, const Config& config, bool reloads)
      : trace_(trace),
        host_(config.host),
        beat_bytes_(config.axi.beat_bytes()),
        set_cycles_(std::max(config.array.cols, reloads ? arith::kReloadCycles : 0)) {}

  Cycles all() {
    trace_.each([this](const Act& act) { follow(act); });
    return now_;
  }

 private:
  void follow(const Act& act) {
    now_ += Cycles{act.works} + act.prepares;
    const Cycles acts = now_ - contract::HostConfig::kAnswered + contract::HostConfig::kActs;
    switch (act.kind) {
      case Act::Kind::transfer:
        now_ = std::max(now_ + host_.register_read, acts + base::ceil_div<Cycles>(act.bytes, beat_bytes_)) +
               contract::HostConfig::kAnswered;
        return;
      case Act::Kind::job:
        finished_ = acts + least_of(trace_.commands[act.command]);
        return;
      case Act::Kind::wait_job:
      case Act::Kind::wait_output:
        now_ = std::max(now_, finished_) + host_.interrupt;
        return;
      case Act::Kind::nothing:
        return;
    }
  }

  // A pass takes at least a cycle per column. From one weight set to the next it takes at least as long as loading a
  // set into the array (docs/timing.md, "Multipliers in LUTs").
  Cycles least_of(const Command& job) const {
    const Cycles passes = job.passes();
    return std::max(passes * job.columns, (passes - 1) * std::max(job.columns, set_cycles_));
  }

  const HostTrace& trace_;
  const contract::HostConfig& host_;
  const int beat_bytes_;
  const int set_cycles_;
  Cycles now_ = 0;
  Cycles finished_ = 0;  // end of the job
};

}  // namespace

Cycles least_cycles(const HostTrace& trace, const Config& config, bool reloads) {
  return HostWalk(trace, config, reloads).all();
}

}  // namespace fansim::stream

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "axi/read_bursts.h"
#include "axi/types.h"
#include "contract/extent.h"
#include "contract/extent_port.h"
#include "sim/module.h"
#include "sim/stream.h"

namespace fansim::axi {

// Reads extents of memory in bursts and hands their beats on.
// Throughput: one burst per cycle, one beat per cycle but for the `gap` cycles after each burst's last.
// Latency:    none: an extent popped at t issues its first burst at t, a beat popped from `r` at t is pushed at t.
// Stall:      at most `outstanding` bursts in flight; a slot freed at t is used again from t + 1 on. `r` waits while
//             `beats` is full, which whoever issues extents must not let happen: the decoder behind has room for them.
class ExtentReader final : public sim::Module {
 public:
  sim::StreamIn<contract::Extent> runs{"runs"};
  sim::StreamOut<ReadBurst> ar{"ar"};
  sim::StreamIn<ReadBeat> r{"r"};
  sim::StreamOut<contract::ExtentBeat> beats{"beats"};

  ExtentReader(const sc_core::sc_module_name& name, const contract::ExtentPortConfig& config);

  std::int64_t beats_taken() const { return beats_taken_.value(); }
  std::int64_t bytes() const { return beats_taken() * axi_.beat_bytes(); }
  std::string waiting_for() const override;

 private:
  void step() override;
  void start();
  void issue();
  void take();

  const contract::AxiConfig axi_;
  ReadBursts bursts_;
  std::uint64_t address_ = 0;  // address of the next burst
  int to_issue_ = 0;           // beats of the extent

  sim::Counter runs_taken_{*this, "runs", "runs", "runs read"};
  sim::Counter bursts_issued_{*this, "bursts", "bursts", "bursts asked for"};
  sim::Counter beats_taken_{*this, "beats", "beats", "beats handed on"};
  sim::Counter gaps_{*this, "gaps", "cycles", "behind a burst, others in flight, no data taken"};
  sim::Counter stalls_{*this, "stalls", "cycles", "a beat there but not taken behind"};
  sim::Counter waits_{*this, "waits", "cycles", "bursts in flight but no data"};
};

}  // namespace fansim::axi

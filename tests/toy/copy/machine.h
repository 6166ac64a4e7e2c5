// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "axi/job_registers.h"
#include "axi/port_streams.h"
#include "platform/clocked_machine.h"
#include "toy/copy/config.h"

namespace fansim::copy {

// Copies beats from one address to another, a burst at a time: read whole, then written whole.
// Throughput: one beat per cycle of a burst, in each direction.
// Latency:    a start taken at t asks for the first burst at t + 1; the last beat popped at t, the burst is announced
//             at t + 1 and its beats follow from t + 2 on; answered at t, the next is asked for at t + 1.
// Stall:      waits for every channel.
class CopyEngine final : public axi::JobRegisters {
 public:
  sim::StreamOut<axi::ReadBurst> ar{"ar"};
  sim::StreamIn<axi::ReadBeat> r{"r"};
  sim::StreamOut<axi::WriteBurst> aw{"aw"};
  sim::StreamOut<axi::WriteBeat> w{"w"};
  sim::StreamIn<axi::WriteResponse> b{"b"};

  CopyEngine(const sc_core::sc_module_name& name, const Config& config);

  void count(contract::LayerResult& result) const;
  std::vector<base::Cycles> buckets() const { return {reading_.value(), writing_.value()}; }

 private:
  enum class State { idle, ask, receive, announce, send, answer };

  void step() override;
  void start() override;
  State act();
  State next_burst();

  const contract::AxiConfig port_;
  State state_ = State::idle;
  Job job_;  // what is left of it
  std::vector<axi::BeatBytes> buffer_;
  int beats_now_ = 0, moved_ = 0;  // of the burst

  sim::Reg<std::int64_t> done_{*this, "done"};
  sim::Counter bursts_{*this, "bursts", "bursts", "bursts copied"};
  sim::Counter beats_{*this, "beats", "beats", "beats copied"};
  sim::Counter reading_{*this, "reading", "cycles", "a burst was asked for and received"};
  sim::Counter writing_{*this, "writing", "cycles", "a burst was sent and answered"};
};

// The engine in a shell, which has host and memory.
class CopyShell final : public platform::Shell {
 public:
  CopyShell(const sc_core::sc_module_name& name, const Config& config, Frame& frame)
      : Shell(name, frame, {"ddr"}, config.ddr, config.axi), engine_("engine", config) {
    port_.join(engine_);
    port_.join(ddr());
    control_by(config.host, engine_);
  }

 private:
  const contract::Account& account() const override { return copy::account(); }
  void count(contract::LayerResult& result) const override { engine_.count(result); }
  std::vector<base::Cycles> buckets() const override { return engine_.buckets(); }

  CopyEngine engine_;
  axi::PortStreams port_{"axi"};
};

using CopyMachine = platform::MachineOf<CopyShell, Config>;

}  // namespace fansim::copy

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "axi/types.h"
#include "sim/module.h"
#include "sim/reg.h"
#include "sim/stream.h"
#include "toy/copy/account.h"
#include "toy/copy/config.h"

namespace fansim::copy {

// Copies beats from one address to another, a burst at a time: read whole, then written whole.
// Throughput: one beat per cycle of a burst, in each direction.
// Latency:    a start taken at t asks for the first burst at t + 1; the last beat popped at t, the burst is announced
// at
//             t + 1 and its beats follow from t + 2 on; answered at t, the next is asked for at t + 1.
// Stall:      takes no register access while the response cannot leave; waits for every channel.
class CopyEngine final : public sim::Module {
 public:
  sim::StreamIn<axi::LiteRequest> request{"request"};
  sim::StreamOut<axi::LiteResponse> response{"response"};
  sim::StreamOut<axi::ReadBurst> ar{"ar"};
  sim::StreamIn<axi::ReadBeat> r{"r"};
  sim::StreamOut<axi::WriteBurst> aw{"aw"};
  sim::StreamOut<axi::WriteBeat> w{"w"};
  sim::StreamIn<axi::WriteResponse> b{"b"};

  CopyEngine(const sc_core::sc_module_name& name, const Config& config);

  // The interrupt line is a register.
  std::int64_t copies_done() const { return done_.get(); }
  std::int64_t bursts() const { return bursts_.value(); }
  std::int64_t beats() const { return beats_.value(); }
  // Edges spent reading and writing so far.
  std::int64_t reading() const { return reading_.value(); }
  std::int64_t writing() const { return writing_.value(); }

 private:
  enum class State { idle, ask, receive, announce, send, answer };

  void step() override;
  void take_register();
  void act();

  const contract::AxiConfig port_;
  State state_ = State::idle;
  contract::JobRegisters registers_{kRegisters};
  Job job_;  // what is left of it
  std::vector<axi::BeatBytes> buffer_;
  int held_ = 0, sent_ = 0;
  sim::Reg<std::int64_t> done_{*this, "done"};

  sim::Counter bursts_{*this, "bursts", "bursts", "bursts copied"};
  sim::Counter beats_{*this, "beats", "beats", "beats copied"};
  sim::Counter reading_{*this, "reading", "cycles", "a burst was asked for and received"};
  sim::Counter writing_{*this, "writing", "cycles", "a burst was sent and answered"};
};

}  // namespace fansim::copy

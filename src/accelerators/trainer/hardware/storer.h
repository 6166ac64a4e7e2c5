// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/trainer/hardware/chip.h"
#include "axi/transfer.h"
#include "axi/types.h"
#include "sim/reg.h"
#include "sim/stream.h"

namespace fansim::trainer {

// Writes the last layer's values, or the weights, to memory as words of single precision.
// Throughput: one word per cycle.
// Latency:    a start popped at n: the transfer's command is pushed at n, the first word is taken at n + 3; a beat
//             complete at n is pushed at n + 1. The end is seen an edge after the transfer's.
// Stall:      takes no word while a beat cannot leave.
class Storer final : public sim::Module {
 public:
  sim::StreamIn<PhaseStart> start{"start"};
  sim::StreamOut<axi::TransferCommand> command{"command"};
  sim::StreamIn<axi::TransferDone> done{"done"};
  sim::StreamOut<axi::StreamBeat> data{"data"};

  Storer(const sc_core::sc_module_name& name, const Config& config, Chip& chip)
      : Module(name), config_(config), chip_(chip) {}

  const sim::Reg<std::int64_t>& ended() const { return ended_; }
  std::int64_t bytes() const { return bytes_.value(); }
  std::string waiting_for() const override { return busy_ ? "the end of a transfer" : ""; }

 private:
  void step() override;
  void begin();
  void take();

  const Config& config_;
  Chip& chip_;
  PhaseStart phase_;
  bool busy_ = false;
  std::int64_t left_ = 0, at_ = 0;  // words
  sim::Edge first_ = 0;
  axi::BeatBytes beat_{};
  int held_ = 0;  // bytes

  sim::Reg<std::int64_t> ended_{*this, "ended"};
  sim::Counter words_{*this, "words", "words", "words that were sent"};
  sim::Counter bytes_{*this, "bytes", "bytes", "bytes of the transfers"};
  sim::Counter stalls_{*this, "stalls", "cycles", "cycles in which a beat could not leave"};
};

}  // namespace fansim::trainer

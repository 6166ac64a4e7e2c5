// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/trainer/hardware/chip.h"
#include "axi/transfer.h"
#include "axi/types.h"
#include "sim/reg.h"
#include "sim/stream.h"

namespace fansim::trainer {

// Loads an image, one byte per value, or the weights, one word of single precision each, into their memory. Values are
// converted to the format of the unit that reads them; the value of a pixel is its code / 256.
// Throughput: one value per cycle.
// Latency:    a start popped at n: the transfer's command is pushed at n; a stream beat popped at n: its first value is
//             written at n + 1, and the next beat is popped at the edge of its last one. The end is seen an edge after
//             the last value.
// Stall:      waits for beats.
class Loader final : public sim::Module {
 public:
  sim::StreamIn<PhaseStart> start{"start"};
  sim::StreamOut<axi::TransferCommand> command{"command"};
  sim::StreamIn<axi::TransferDone> done{"done"};
  sim::StreamIn<axi::StreamBeat> data{"data"};

  Loader(const sc_core::sc_module_name& name, const Config& config, Chip& chip)
      : Module(name), config_(config), chip_(chip) {}

  const sim::Reg<std::int64_t>& ended() const { return ended_; }
  const arith::FloatEvents& events() const { return events_; }
  std::int64_t bytes() const { return bytes_.value(); }
  std::string waiting_for() const override { return left_ > 0 ? "values from memory" : ""; }

 private:
  void step() override;
  void begin();
  void write();

  const Config& config_;
  Chip& chip_;
  PhaseStart phase_;
  std::int64_t left_ = 0, at_ = 0;  // values
  bool moving_ = false;
  axi::BeatBytes beat_{};
  int held_ = 0, next_ = 0;  // bytes held of the beat; its next byte
  int value_bytes_ = 1;
  arith::FloatEvents events_;

  sim::Reg<std::int64_t> ended_{*this, "ended"};
  sim::Counter values_{*this, "values", "values", "values that were written"};
  sim::Counter bytes_{*this, "bytes", "bytes", "bytes of the transfers"};
};

}  // namespace fansim::trainer

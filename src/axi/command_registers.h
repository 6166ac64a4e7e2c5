// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arch/command.h"
#include "axi/stream_receiver.h"
#include "axi/types.h"
#include "sim/module.h"
#include "sim/stream.h"

namespace fansim::axi {

// The core's AXI-Lite subordinate: six 32-bit registers (arch/command.h). Writing register 1 arms the receivers and
// starts jobs according to its pulse bits; everything else is held.
// Throughput: one request per cycle. Latency: the response is pushed at the edge that takes the request, and so are the
//             commands that a write to register 1 causes.
// Stall:      takes no request while the response, or a command it would cause, cannot leave.
class CommandRegisters final : public sim::Module {
 public:
  sim::StreamIn<LiteRequest> request{"request"};
  sim::StreamOut<LiteResponse> response{"response"};
  sim::StreamOut<ReceiveCommand> receive_input{"receive_input"};
  sim::StreamOut<ReceiveCommand> receive_weights{"receive_weights"};
  sim::StreamOut<ReceiveCommand> receive_bias{"receive_bias"};
  sim::StreamOut<arch::Command> job{"job"};

  explicit CommandRegisters(const sc_core::sc_module_name& name) : sim::Module(name) {}

 private:
  void step() override;
  void write(std::uint32_t address, std::uint32_t value);
  std::uint32_t read(std::uint32_t address) const;
  bool can_act() const;
  void act(const arch::Command& command);

  arch::RegisterImage image_;

  sim::Counter writes_{*this, "writes", "writes", "register writes"};
};

}  // namespace fansim::axi

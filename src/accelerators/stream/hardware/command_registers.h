// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/stream/config/command.h"
#include "axi/stream_receiver.h"
#include "axi/types.h"
#include "sim/module.h"
#include "sim/stream.h"

namespace fansim::stream {

// Is the core's AXI-Lite subordinate: six 32-bit registers, and with a code table a seventh (config/command.h). Writing
// register 1 arms the receivers and starts jobs according to its pulse bits. The other registers hold what is written,
// but the seventh passes it on. Registers 3 and 7 are write-only and read 0. Any other address is a violation.
// Throughput: one request per cycle.
// Latency:    the response is pushed at the edge that takes the request, and so are the commands that a write to
//             register 1 causes.
// Stall:      takes no request while the response, or a command it would cause, cannot leave.
class CommandRegisters final : public sim::Module {
 public:
  sim::StreamIn<axi::LiteRequest> request{"request"};
  sim::StreamOut<axi::LiteResponse> response{"response"};
  sim::StreamOut<axi::ReceiveCommand> receive_input{"receive_input"};
  sim::StreamOut<axi::ReceiveCommand> receive_weights{"receive_weights"};
  sim::StreamOut<axi::ReceiveCommand> receive_bias{"receive_bias"};
  sim::StreamOut<Command> job{"job"};
  sim::StreamOut<TableWrite> table{"table"};

  CommandRegisters(const sc_core::sc_module_name& name, bool code_table) : sim::Module(name), code_table_(code_table) {}

 private:
  void reset() override { image_ = {}; }
  void step() override;
  bool write(std::uint32_t address, std::uint32_t value);
  std::uint32_t read(std::uint32_t address) const;
  bool act(const Command& command);

  const bool code_table_;
  RegisterImage image_;

  sim::Counter writes_{*this, "writes", "writes", "register writes"};
};

}  // namespace fansim::stream

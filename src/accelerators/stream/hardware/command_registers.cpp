// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/command_registers.h"

#include <fmt/format.h>

#include "contract/buffer.h"
#include "sim/memory_port.h"

namespace fansim::stream {

void CommandRegisters::step() {
  if (request.empty()) {
    sleep();
    return;
  }
  if (!request.can_pop() || !response.can_push()) return;
  const axi::LiteRequest& head = request.front();
  if (head.write) {
    if (!write(head.address, head.value)) return;
    ++writes_;
  }
  response.push(axi::LiteResponse{head.write ? 0 : read(head.address)});
  request.pop();
}

// Returns false while a command that the write causes cannot leave.
bool CommandRegisters::write(std::uint32_t address, std::uint32_t value) {
  if (code_table_ && address == kTableOffset) {
    if (!table.can_push()) return false;
    table.push(TableWrite::of(value));
    return true;
  }
  if (!image_.write(address, value)) violation(fmt::format("write to unknown register at {:#x}", address));
  return address != register_offset(1) || act(decode(image_));
}

std::uint32_t CommandRegisters::read(std::uint32_t address) const {
  switch (address) {
    case register_offset(1):
      return image_.reg1;
    case register_offset(2):
      return image_.reg2;
    case register_offset(3):
      return 0;
    case register_offset(4):
      return image_.reg4;
    case register_offset(5):
      return image_.reg5;
    case register_offset(6):
      return image_.reg6;
    default:
      if (code_table_ && address == kTableOffset) return 0;
      violation(fmt::format("read of unknown register at {:#x}", address));
  }
}

// A select bit names the half that the core reads; the receiver fills the other one.
bool CommandRegisters::act(const Command& command) {
  const bool starts = command.start_conv || command.start_recurrent;
  if ((command.receive_input && !receive_input.can_push()) ||
      (command.receive_weights && !receive_weights.can_push()) || (command.receive_bias && !receive_bias.can_push()) ||
      (starts && !job.can_push()))
    return false;
  if (command.receive_input) receive_input.push(axi::ReceiveCommand{1 - command.input_select});
  if (command.receive_weights)
    receive_weights.push(
        axi::ReceiveCommand{command.receive_resident ? contract::kResident : 1 - command.weight_select});
  if (command.receive_bias) receive_bias.push(axi::ReceiveCommand{1 - command.bias_select});
  if (starts) job.push(command);
  return true;
}

}  // namespace fansim::stream

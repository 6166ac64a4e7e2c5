// SPDX-License-Identifier: Apache-2.0
#include "axi/command_registers.h"

#include <fmt/format.h>

#include "sim/memory_port.h"

namespace fansim::axi {

void CommandRegisters::step() {
  if (request.empty()) return sleep();
  if (!request.can_pop() || !response.can_push()) return;
  const LiteRequest& head = request.front();
  const bool acts = head.write && head.address == arch::register_offset(1);
  if (acts && !can_act()) return;
  const LiteRequest now = request.pop();
  if (now.write) {
    write(now.address, now.value);
    ++writes_;
  }
  response.push(LiteResponse{now.write ? 0 : read(now.address)});
}

bool CommandRegisters::can_act() const {
  return receive_input.can_push() && receive_weights.can_push() && receive_bias.can_push() && job.can_push();
}

void CommandRegisters::write(std::uint32_t address, std::uint32_t value) {
  switch (address / 4 + 1) {
    case 1:
      image_.reg1 = value;
      act(arch::decode(image_));
      break;
    case 2:
      image_.reg2 = value;
      break;
    case 3:
      image_.geometry[value >> 28] = value & 0x0fffffffU;
      break;
    case 4:
      image_.reg4 = value;
      break;
    case 5:
      image_.reg5 = value;
      break;
    case 6:
      image_.reg6 = value;
      break;
    default:
      violation(fmt::format("write to unknown register at {:#x}", address));
  }
}

std::uint32_t CommandRegisters::read(std::uint32_t address) const {
  switch (address / 4 + 1) {
    case 1:
      return image_.reg1;
    case 2:
      return image_.reg2;
    case 4:
      return image_.reg4;
    case 5:
      return image_.reg5;
    case 6:
      return image_.reg6;
    default:
      return 0;
  }
}

// A select bit names the half that the core reads; the receiver fills the other one.
void CommandRegisters::act(const arch::Command& command) {
  if (command.receive_input) receive_input.push(ReceiveCommand{1 - command.input_select});
  if (command.receive_weights)
    receive_weights.push(ReceiveCommand{command.receive_resident ? sim::kResident : 1 - command.weight_select});
  if (command.receive_bias) receive_bias.push(ReceiveCommand{1 - command.bias_select});
  if (command.start_conv || command.start_recurrent) job.push(command);
}

}  // namespace fansim::axi

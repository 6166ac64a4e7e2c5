// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/hardware/instruction_unit.h"

#include <fmt/format.h>

#include "accelerators/tiled/config/look_up.h"

namespace fansim::tiled {

InstructionUnit::InstructionUnit(const sc_core::sc_module_name& name, const std::vector<int>& engines, bool code_table)
    : Module(name), code_table_(code_table) {
  for (const int engine : engines) {
    const std::string port = fmt::format("stage{}", stages_.size());
    stages_.push_back({engine, std::make_unique<sim::StreamOut<TiledJob>>(port.c_str())});
  }
}

void InstructionUnit::step() {
  if (request.empty()) {
    sleep();
    return;
  }
  if (!request.can_pop() || !response.can_push()) return;
  const axi::LiteRequest& head = request.front();
  std::uint32_t value = 0;
  if (head.write) {
    if (!write(head.address, head.value)) return;
    ++writes_;
  } else if (head.address / 4 < image_.size()) {
    value = image_[head.address / 4];
  } else {
    violation(fmt::format("read of unknown register at {:#x}", head.address));
  }
  response.push(axi::LiteResponse{value});
  request.pop();
}

// Returns false while the layer that the write starts cannot leave.
bool InstructionUnit::write(std::uint32_t address, std::uint32_t value) {
  if (address == TiledJob::kStart) return start(decode(image_));
  if (code_table_ && (address == LookUp::kEntries || address == LookUp::kFormat)) {
    if (!table.can_push()) return false;
    table.push({true, address, value});
    return true;
  }
  if (address / 4 >= image_.size()) violation(fmt::format("write to unknown register at {:#x}", address));
  image_[address / 4] = value;
  return true;
}

bool InstructionUnit::start(const TiledJob& layer) {
  for (const Stage& stage : stages_)
    if (stage.takes(layer) && !stage.job->can_push()) return false;
  for (const Stage& stage : stages_)
    if (stage.takes(layer)) stage.job->push(layer);
  ++layers_;
  return true;
}

}  // namespace fansim::tiled

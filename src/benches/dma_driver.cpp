// SPDX-License-Identifier: Apache-2.0
#include "benches/dma_driver.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace fansim::benches {

DmaDriver::DmaDriver(const sc_core::sc_module_name& name, std::vector<DmaOp> ops, const axi::DmaRegisters& registers,
                     std::vector<std::uint8_t>& memory, std::vector<DmaEvent>& events)
    : Module(name), ops_(std::move(ops)), registers_(registers), memory_(memory), events_(events) {}

void DmaDriver::step() {
  while (at_ < ops_.size()) {
    if (now() < ops_[at_].cycle) {
      progress();
      return;
    }
    if (!act(ops_[at_])) return;
    ++at_;
  }
  wind_up();
}

// Returns true when the step is finished.
bool DmaDriver::act(const DmaOp& op) {
  std::uint32_t word = op.value;
  switch (op.kind) {
    case DmaOp::Kind::write:
      return access(op, true);
    case DmaOp::Kind::read:
      return access(op, false);
    case DmaOp::Kind::poke:
      std::memcpy(&memory_[op.address], &word, sizeof word);
      return true;
    case DmaOp::Kind::peek:
      std::memcpy(&word, &memory_[op.address], sizeof word);
      log("peek", op.address, word, now());
      return true;
    case DmaOp::Kind::packet:
      packets.push_back(op.value);
      return true;
    case DmaOp::Kind::wait_mm2s:
    case DmaOp::Kind::wait_s2mm:
      return interrupted(op);
  }
  return true;
}

bool DmaDriver::access(const DmaOp& op, bool write) {
  if (!waiting_) {
    if (!request.can_push()) return false;
    request.push({write, static_cast<std::uint32_t>(op.address), op.value});
    waiting_ = true;
    return false;
  }
  if (!response.can_pop()) return false;
  const std::uint32_t answer = response.pop().value;
  waiting_ = false;
  log(write ? "write" : "read", op.address, write ? op.value : answer, now() - 1);
  return true;
}

bool DmaDriver::interrupted(const DmaOp& op) const {
  return op.kind == DmaOp::Kind::wait_mm2s ? registers_.mm2s_introut() : registers_.s2mm_introut();
}

void DmaDriver::log(const char* what, std::uint64_t address, std::uint64_t value, sim::Edge edge) {
  events_.push_back({edge, what, address, value});
}

void DmaDriver::wind_up() {
  if (registers_.busy() || !packets.empty())
    quiet_ = 0;
  else if (++quiet_ == kQuiet)
    finished();
}

void DmaDriver::refuse_vain_wait() const {
  if (ops_.empty() || registers_.busy() || waiting_ || waiting_for().empty()) return;
  const DmaOp& op = ops_[std::min(at_, ops_.size() - 1)];
  throw base::UserError(
      op.where, at_ < ops_.size()
                    ? fmt::format("{} stays low: the DMA is idle; no transfer that this step could wait for has been "
                                  "started with its interrupt enabled",
                                  waiting_for())
                    : std::string("the stimulus ends with a packet that S2MM has not been told to take"));
}

std::string DmaDriver::waiting_for() const {
  if (at_ == ops_.size()) return registers_.busy() ? "the DMA to become idle" : "the last packet to be taken";
  if (waiting_) return "a register response";
  switch (ops_[at_].kind) {
    case DmaOp::Kind::wait_mm2s:
      return "mm2s_introut";
    case DmaOp::Kind::wait_s2mm:
      return "s2mm_introut";
    default:
      return {};
  }
}

}  // namespace fansim::benches

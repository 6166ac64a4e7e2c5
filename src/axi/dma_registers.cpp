// SPDX-License-Identifier: Apache-2.0
#include "axi/dma_registers.h"

namespace fansim::axi {

namespace {
using namespace arch::dma_map;

// Offsets within the half of a channel; S2MM's half starts where its control register lies.
constexpr std::uint32_t kHalf = kS2mmDmacr;
constexpr std::uint32_t kWritableControl = kCrRunStop | kCrIocIrqEnable;
constexpr std::uint32_t kDefaultControl = 0x0001'0002;  // IRQThreshold = 1, reserved bit 1 (PG021, DMACR)
}  // namespace

DmaRegisters::DmaRegisters(const sc_core::sc_module_name& name, const arch::DmaConfig& config)
    : Module(name), length_mask_((1U << config.length_bits) - 1) {}

std::uint32_t DmaRegisters::Channel::status() const {
  const bool running = control & kCrRunStop;
  return (!running && !busy ? kSrHalted : 0) | (running && !busy && completed ? kSrIdle : 0) |
         (ioc_irq ? kSrIocIrq : 0);
}

void DmaRegisters::step() {
  bool changed = false;
  if (mm2s_done.can_pop()) mm2s_done.pop(), complete(mm2s_), changed = true;
  if (s2mm_done.can_pop()) s2mm_done.pop(), complete(s2mm_), changed = true;
  if (host.can_pop() && host_response.can_push()) host_response.push({access(host.pop())}), changed = true;
  if (pl.can_pop() && pl_response.can_push()) pl_response.push({access(pl.pop())}), changed = true;
  if (changed)
    settle();
  else if (mm2s_done.empty() && s2mm_done.empty() && host.empty() && pl.empty())
    sleep();
}

void DmaRegisters::complete(Channel& channel) {
  channel.busy = false;
  channel.completed = true;
  channel.ioc_irq = true;
}

// After the edge's events: a reset that waited, and the interrupt lines.
void DmaRegisters::settle() {
  if (reset_pending_ && !mm2s_.busy && !s2mm_.busy) {
    mm2s_ = s2mm_ = Channel{};
    reset_pending_ = false;
  }
  if (mm2s_.interrupt() != mm2s_introut_.next()) mm2s_introut_.set(mm2s_.interrupt());
  if (s2mm_.interrupt() != s2mm_introut_.next()) s2mm_introut_.set(s2mm_.interrupt());
}

std::uint32_t DmaRegisters::access(const LiteRequest& request) {
  ++accesses_;
  const bool is_s2mm = request.address >= kHalf;
  Channel& channel = is_s2mm ? s2mm_ : mm2s_;
  const std::uint32_t offset = is_s2mm ? request.address - kHalf : request.address;
  if (!request.write) return read(channel, offset);
  write(channel, is_s2mm ? s2mm_command : mm2s_command, offset, request.value);
  return 0;
}

std::uint32_t DmaRegisters::read(const Channel& channel, std::uint32_t offset) const {
  switch (offset) {
    case kMm2sDmacr:
      return kDefaultControl | channel.control | (reset_pending_ ? kCrReset : 0);
    case kMm2sDmasr:
      return channel.status();
    case kMm2sSa:
      return channel.address;
    case kMm2sLength:
      return channel.length;
    default:
      return 0;
  }
}

void DmaRegisters::write(Channel& channel, sim::StreamOut<TransferCommand>& command, std::uint32_t offset,
                         std::uint32_t value) {
  switch (offset) {
    case kMm2sDmacr:
      channel.control = value & kWritableControl;
      if (value & kCrReset) reset_pending_ = true;
      break;
    case kMm2sDmasr:
      if (value & kSrIocIrq) channel.ioc_irq = false;
      break;
    case kMm2sSa:
      channel.address = value;
      break;
    case kMm2sLength:
      if (channel.busy) violation("LENGTH written while a transfer runs");
      channel.length = value & length_mask_;
      if (channel.length == 0 || !(channel.control & kCrRunStop)) break;
      channel.busy = true;
      command.push({channel.address, channel.length});
      break;
    default:
      break;
  }
}

}  // namespace fansim::axi

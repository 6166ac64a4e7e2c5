// SPDX-License-Identifier: Apache-2.0
#include "axi/dma_registers.h"

namespace fansim::axi {

namespace {
using namespace contract::dma_map;

void follow(sim::Reg<bool>& line, bool value) {
  if (value != line.next()) line.set(value);
}
}  // namespace

DmaRegisters::DmaRegisters(const sc_core::sc_module_name& name, const contract::DmaConfig& config)
    : Module(name), mm2s_(config, DmaChannel::Direction::mm2s), s2mm_(config, DmaChannel::Direction::s2mm) {
  if (config.scatter_gather()) chains = std::make_unique<Chains>();
}

DmaRegisters::~DmaRegisters() = default;

void DmaRegisters::step() {
  bool changed = take_completions();
  if (mm2s_.timing() || s2mm_.timing()) {
    progress();
    mm2s_.tick(now());
    s2mm_.tick(now());
    changed = true;
  }
  if (take_accesses()) changed = true;
  if (changed)
    settle();
  else if (quiet())
    sleep();
}

void DmaRegisters::stop(bool is_s2mm) {
  (is_s2mm ? s2mm_ : mm2s_).stop();
  settle();
}

bool DmaRegisters::quiet() const {
  return mm2s_done.empty() && s2mm_done.empty() && host.empty() && pl.empty() &&
         (!chains || (chains->mm2s_event.empty() && chains->s2mm_event.empty()));
}

bool DmaRegisters::can_start() const {
  return !chains || (chains->mm2s_start.can_push() && chains->s2mm_start.can_push());
}

bool DmaRegisters::take_completions() {
  bool changed = false;
  if (mm2s_done.can_pop()) {
    mm2s_.complete(mm2s_done.pop());
    changed = true;
  }
  if (s2mm_done.can_pop()) {
    s2mm_.complete(s2mm_done.pop());
    changed = true;
  }
  if (!chains) return changed;
  if (chains->mm2s_event.can_pop()) {
    mm2s_.take(chains->mm2s_event.pop(), now());
    changed = true;
  }
  if (chains->s2mm_event.can_pop()) {
    s2mm_.take(chains->s2mm_event.pop(), now());
    changed = true;
  }
  return changed;
}

bool DmaRegisters::take_accesses() {
  bool changed = false;
  if (host.can_pop() && host_response.can_push() && can_start()) {
    host_response.push({access(host.pop())});
    changed = true;
  }
  if (pl.can_pop() && pl_response.can_push() && can_start()) {
    pl_response.push({access(pl.pop())});
    changed = true;
  }
  return changed;
}

// Handles, after the edge's events, a reset that waited, and sets the lines.
void DmaRegisters::settle() {
  if (halt_.next() && !mm2s_.busy() && !s2mm_.busy()) {
    mm2s_.reset();
    s2mm_.reset();
    halt_.set(false);
  }
  follow(mm2s_introut_, mm2s_.interrupt());
  follow(s2mm_introut_, s2mm_.interrupt());
  follow(mm2s_run_, mm2s_.running());
  follow(s2mm_run_, s2mm_.running());
}

std::uint32_t DmaRegisters::access(const LiteRequest& request) {
  ++accesses_;
  const bool is_s2mm = request.address >= kHalf;
  const std::uint32_t offset = is_s2mm ? request.address - kHalf : request.address;
  DmaChannel& channel = is_s2mm ? s2mm_ : mm2s_;
  if (request.write) {
    act(channel.write(offset, request.value), is_s2mm);
    return 0;
  }
  return channel.read(offset) | (offset == kMm2sDmacr && halt_.next() ? kCrReset : 0);
}

void DmaRegisters::act(const DmaChannel::Action& action, bool is_s2mm) {
  if (action.while_busy) violation("LENGTH written while a transfer runs");
  if (action.reset) halt_.set(true);
  if (action.transfer) (is_s2mm ? s2mm_command : mm2s_command).push(*action.transfer);
  if (action.descriptors) (is_s2mm ? chains->s2mm_start : chains->mm2s_start).push(*action.descriptors);
}

}  // namespace fansim::axi

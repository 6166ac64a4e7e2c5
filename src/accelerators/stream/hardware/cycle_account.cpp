// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/cycle_account.h"

#include "accelerators/stream/hardware/stream_accelerator.h"

namespace fansim::stream {

namespace {
bool receiving(const axi::StreamReceiver& receiver) { return receiver.state() != axi::StreamReceiver::State::idle; }
}  // namespace

CycleAccount::CycleAccount(const sc_core::sc_module_name& name, const StreamBlocks& blocks)
    : sim::Module(name), blocks_(blocks) {}

void CycleAccount::step() {
  if (!active_) return;
  const bool compute = blocks_.array.state() == MacArray::State::compute;
  ++buckets_[static_cast<std::size_t>(compute ? rules::ArrayBucket::compute : rules::bucket(signs()))];
}

rules::CycleSigns CycleAccount::signs() const {
  rules::CycleSigns s;
  core_signs(s);
  memory_signs(s);
  s.dma_setup = blocks_.host.preparing_dma() || blocks_.dma.mm2s.busy();
  s.host = blocks_.host.working();
  return s;
}

void CycleAccount::core_signs(rules::CycleSigns& s) const {
  using Array = MacArray::State;
  using Job = Sequencer::State;
  s.wait_output = blocks_.array.state() == Array::wait_output;
  s.wait_weights = blocks_.array.state() == Array::wait_weights;
  if (s.wait_output || s.wait_weights) return;
  switch (blocks_.sequencer.state()) {
    case Job::issue:
      s.fill = true;
      break;
    case Job::drain:
      s.fill = blocks_.lines.busy() || blocks_.window.shifting();
      s.drain = !s.fill;
      break;
    case Job::wait_input:
      s.wait_input = true;
      break;
    case Job::wait_weights:
      s.wait_weights = true;
      break;
    case Job::wait_output:
      s.wait_output = true;
      break;
    case Job::idle:
      s.drain = blocks_.host.waiting_for_output();
      break;
  }
}

// With no job, the array waits for whatever is on its way from DDR.
void CycleAccount::memory_signs(rules::CycleSigns& s) const {
  if (!blocks_.ddr->read_outstanding()) return;
  const bool idle = blocks_.sequencer.state() == Sequencer::State::idle && !s.drain;
  if (idle) {
    s.wait_weights = receiving(blocks_.weight_receiver) || receiving(blocks_.bias_receiver);
    s.wait_input = !s.wait_weights;
  }
  s.read_wait = blocks_.ddr->read_wait();
}

}  // namespace fansim::stream

// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/cycle_account.h"

#include "accelerators/stream/hardware/stream_accelerator.h"

namespace fansim::stream {

namespace {
bool receiving(const axi::StreamReceiver& receiver) { return receiver.state() != axi::StreamReceiver::State::idle; }
}  // namespace

CycleAccount::CycleAccount(const sc_core::sc_module_name& name, StreamBlocks& blocks, memory::Ddr& ddr,
                           platform::Host& host)
    : sim::Module(name), blocks_(blocks), ddr_(ddr), host_(host) {
  for (sim::Module* block : std::initializer_list<sim::Module*>{
           &blocks.array, &blocks.sequencer, &blocks.lines, &blocks.window, &blocks.dma.mm2s, &host,
           &blocks.input_receiver, &blocks.weight_receiver, &blocks.bias_receiver, &ddr})
    block->watched_by(*this);
}

[[gnu::flatten]] void CycleAccount::step() {
  sleep();
  const bool compute = blocks_.array.state() == MacArray::State::compute;
  if (active_) spans_.enter(compute ? rules::ArrayBucket::compute : rules::bucket(signs()), now());
}

rules::CycleSigns CycleAccount::signs() const {
  rules::CycleSigns s;
  core_signs(s);
  memory_signs(s);
  s.dma_setup = host_.preparing_dma() || blocks_.dma.mm2s.busy();
  s.host = host_.working();
  return s;
}

void CycleAccount::core_signs(rules::CycleSigns& s) const {
  using Array = MacArray::State;
  using Job = Sequencer::State;
  const Array array = blocks_.array.state();
  const Job job = blocks_.sequencer.state();
  s.wait_output = array == Array::wait_output;
  s.wait_weights = array == Array::wait_weights;
  if (s.wait_output || s.wait_weights) return;
  const bool filling = blocks_.lines.busy() || blocks_.window.shifting();
  s.fill = job == Job::issue || (job == Job::drain && filling);
  s.drain = job == Job::drain ? !filling : job == Job::idle && host_.waiting_for_output();
  s.wait_input = job == Job::wait_input;
  s.wait_weights = job == Job::wait_weights;
  s.wait_output = job == Job::wait_output;
}

// With no job, the array waits for whatever is on its way from DDR.
void CycleAccount::memory_signs(rules::CycleSigns& s) const {
  if (!ddr_.read_outstanding()) return;
  const bool idle = blocks_.sequencer.state() == Sequencer::State::idle && !s.drain;
  if (idle) {
    s.wait_weights = receiving(blocks_.weight_receiver) || receiving(blocks_.bias_receiver);
    s.wait_input = !s.wait_weights;
  }
  s.read_wait = ddr_.read_wait();
}

}  // namespace fansim::stream

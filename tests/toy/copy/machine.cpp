// SPDX-License-Identifier: Apache-2.0
#include "toy/copy/machine.h"

#include "rules/burst.h"

namespace fansim::copy {

CopyEngine::CopyEngine(const sc_core::sc_module_name& name, const Config& config)
    : JobRegisters(name, contract::JobRegisters(kRegisters), {&done_}),
      port_(config.port()),
      buffer_(static_cast<std::size_t>(config.engine.buffer_beats)) {}

void CopyEngine::count(contract::LayerResult& result) const {
  result.bytes_read = result.bytes_written = beats_.value() * port_.beat_bytes();
  kBursts.set(result, bursts_.value());
}

void CopyEngine::step() {
  if (state_ == State::idle) return JobRegisters::step();
  ++(state_ == State::ask || state_ == State::receive ? reading_ : writing_);
  state_ = act();
}

void CopyEngine::start() {
  job_ = job_of(registers());
  state_ = next_burst();
}

CopyEngine::State CopyEngine::next_burst() {
  moved_ = 0;
  beats_now_ = rules::burst_beats(job_.source, job_.beats, port_);
  if (job_.beats > 0) return State::ask;
  done_.set(done_.next() + 1);
  return State::idle;
}

// Does what its state allows at this edge, and returns the next one.
CopyEngine::State CopyEngine::act() {
  switch (state_) {
    case State::ask:
      if (!ar.can_push()) break;
      ar.push({job_.source, beats_now_});
      return State::receive;
    case State::receive:
      if (!r.can_pop()) break;
      buffer_[static_cast<std::size_t>(moved_++)] = r.pop().data;
      if (moved_ == beats_now_) return State::announce;
      break;
    case State::announce:
      if (!aw.can_push()) break;
      aw.push({job_.destination, beats_now_});
      moved_ = 0;
      return State::send;
    case State::send:
      if (!w.can_push()) break;
      ++beats_;
      w.push({buffer_[static_cast<std::size_t>(moved_++)], axi::byte_mask(port_.beat_bytes()), moved_ == beats_now_});
      if (moved_ == beats_now_) return State::answer;
      break;
    case State::answer:
      if (!b.can_pop()) break;
      b.pop();
      ++bursts_;
      job_.advance(beats_now_, port_.beat_bytes());
      return next_burst();
    case State::idle:
      break;
  }
  return state_;
}

}  // namespace fansim::copy

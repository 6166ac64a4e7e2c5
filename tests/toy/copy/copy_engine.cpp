// SPDX-License-Identifier: Apache-2.0
#include "toy/copy/copy_engine.h"

#include <fmt/format.h>

#include "rules/burst.h"

namespace fansim::copy {

CopyEngine::CopyEngine(const sc_core::sc_module_name& name, const Config& config)
    : sim::Module(name), port_(config.port()), buffer_(static_cast<std::size_t>(config.engine.buffer_beats)) {}

void CopyEngine::step() {
  if (state_ == State::ask || state_ == State::receive) ++reading_;
  if (state_ == State::announce || state_ == State::send || state_ == State::answer) ++writing_;
  if (state_ == State::idle)
    take_register();
  else
    act();
}

void CopyEngine::take_register() {
  if (!request.can_pop() || !response.can_push()) return;
  const axi::LiteRequest access = request.pop();
  response.push(axi::LiteResponse{});
  if (access.address / 4 >= registers_.words.size()) violation(fmt::format("no register at {:#x}", access.address));
  if (!registers_.write(access.address, access.value)) return;
  job_ = job_of(registers_);
  state_ = State::ask;
}

void CopyEngine::act() {
  const int beats = rules::burst_beats(job_.source, job_.beats, port_);
  const auto bytes = static_cast<std::uint32_t>(port_.beat_bytes());
  switch (state_) {
    case State::ask:
      if (!ar.can_push()) return;
      ar.push(axi::ReadBurst{job_.source, beats});
      held_ = 0;
      state_ = State::receive;
      return;
    case State::receive:
      if (!r.can_pop()) return;
      buffer_[static_cast<std::size_t>(held_++)] = r.pop().data;
      if (held_ == beats) state_ = State::announce;
      return;
    case State::announce:
      if (!aw.can_push()) return;
      aw.push(axi::WriteBurst{job_.destination, beats});
      sent_ = 0;
      state_ = State::send;
      return;
    case State::send:
      if (!w.can_push()) return;
      w.push(axi::WriteBeat{buffer_[static_cast<std::size_t>(sent_)], axi::byte_mask(port_.beat_bytes()),
                            sent_ + 1 == beats});
      ++beats_;
      if (++sent_ == beats) state_ = State::answer;
      return;
    case State::answer:
      if (!b.can_pop()) return;
      b.pop();
      ++bursts_;
      job_.beats -= static_cast<std::uint32_t>(beats);
      job_.source += static_cast<std::uint32_t>(beats) * bytes;
      job_.destination += static_cast<std::uint32_t>(beats) * bytes;
      state_ = job_.beats > 0 ? State::ask : State::idle;
      if (job_.beats == 0) done_.set(done_.next() + 1);
      return;
    case State::idle:
      return;
  }
}

}  // namespace fansim::copy

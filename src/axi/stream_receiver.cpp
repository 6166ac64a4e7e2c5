// SPDX-License-Identifier: Apache-2.0
#include "axi/stream_receiver.h"

#include <fmt/format.h>

namespace fansim::axi {

[[gnu::flatten]] void StreamReceiver::step() {
  switch (state_.next()) {
    case State::idle:
      if (finished_) {
        sink_.done(target_);
        finished_ = false;
      }
      if (command.empty()) {
        sleep();
        return;
      }
      if (!command.can_pop()) return;
      {
        const ReceiveCommand& packet = command.pop();
        target_ = packet.target;
        offset_ = packet.base;
        capacity_ = sink_.capacity(target_);
        sink_.begin(target_);
        state_.set(State::read);
      }
      return;
    case State::read:
      if (s_axis.can_pop())
        receive();
      else
        ++waits_;
      return;
    case State::finish:
      finished_ = true;
      state_.set(State::idle);
      return;
  }
}

void StreamReceiver::receive() {
  const StreamBeat& beat = s_axis.pop();
  if (offset_ + beat.bytes > capacity_)
    violation(fmt::format("{} bytes at {} overflow target {} of {} bytes", beat.bytes, offset_, target_, capacity_));
  sink_.write(target_, offset_, beat.data.data(), beat.bytes);
  offset_ += beat.bytes;
  ++beats_;
  bytes_ += beat.bytes;
  if (beat.last) state_.set(State::finish);
}

}  // namespace fansim::axi

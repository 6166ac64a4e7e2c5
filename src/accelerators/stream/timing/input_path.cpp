// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/timing/input_path.h"

#include <algorithm>

#include "rules/burst.h"

namespace fansim::stream {

InputPath::InputPath(const contract::DmaConfig& dma, const contract::AxiConfig& axi, timing::Memory& memory)
    : dma_(dma), axi_(axi), fifo_beats_(axi.mm2s_fifo_beats()), memory_(memory) {}

void InputPath::start(timing::Edge written, std::uint32_t address, std::uint32_t bytes) {
  const int offset = rules::in_beat(address, axi_);
  realigned_ = offset != 0;
  next_address_ = address - static_cast<std::uint32_t>(offset);
  to_issue_ = beats_ = rules::beats_of(address, bytes, axi_);
  stream_beats_ = rules::beats_of(bytes, axi_);
  issued_ = received_ = 0;
  issue_from_ = written + dma_.mm2s_start;
  stream_free_ = written + 1;
  in_flight_.clear();
  slots_.clear();
  unused_ = axi_.outstanding;
  streamed_.clear();
}

// A slot freed, or FIFO room, at an edge is used again from the next one on.
bool InputPath::ask() {
  if (to_issue_ == 0 || (unused_ == 0 && slots_.empty())) return false;
  const int beats = rules::burst_beats(next_address_, to_issue_, axi_);
  const std::int64_t streamed_before = issued_ + beats - fifo_beats_;  // so many beats must have left the FIFO
  timing::Edge room = timing::kLongAgo;
  if (streamed_before > 0) {
    if (streamed_before > streamed_.count()) return false;
    room = streamed_.at(streamed_before - 1) + 1;
  }
  const timing::Edge slot = unused_ > 0 ? timing::kLongAgo : slots_.pop();
  unused_ -= unused_ > 0;
  const timing::Edge pushed = std::max({issue_from_, slot, room});
  memory_.read(kPort, *this, pushed + 1, static_cast<std::uint32_t>(next_address_), beats);
  in_flight_.push(beats);
  issue_from_ = pushed + 1;
  issued_ += beats;
  to_issue_ -= beats;
  next_address_ += static_cast<std::uint64_t>(beats * axi_.beat_bytes());
  return true;
}

std::int64_t InputPath::complete(std::int64_t received) const {
  if (received == beats_) return stream_beats_;
  return realigned_ && received > 0 ? received - 1 : received;
}

timing::Edge InputPath::data(int beats, timing::Edge from) {
  const timing::Edge popped = std::max(from, pushed_ + 1) + 1;
  pushed_ = popped + beats - 2;
  const std::int64_t complete_before = complete(received_);
  const std::int64_t run = complete(received_ + beats) - complete_before;
  if (run > 0) {
    const std::int64_t needed = std::min(complete_before + realigned_, beats_ - 1);
    const timing::Edge visible = popped + (needed - received_) + dma_.mm2s_stream;
    const timing::Edge edge = std::max(stream_free_, visible);
    streamed_.push(edge, run);
    stream_free_ = edge + run;
  }
  received_ += beats;
  if ((in_flight_.front() -= beats) == 0) {
    in_flight_.pop();
    slots_.push(popped + beats);
  }
  return pushed_;
}

}  // namespace fansim::stream

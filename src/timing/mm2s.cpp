// SPDX-License-Identifier: Apache-2.0
#include "timing/mm2s.h"

#include <algorithm>

#include "rules/burst.h"

namespace fansim::timing {

Mm2s::Mm2s(const arch::DmaConfig& dma, const arch::AxiConfig& axi)
    : dma_(dma), axi_(axi), fifo_beats_(std::int64_t{axi.outstanding} * axi.burst_beats + 1) {}

void Mm2s::start(Edge written, std::uint32_t address, std::uint32_t bytes) {
  const std::uint32_t size = static_cast<std::uint32_t>(axi_.beat_bytes());
  realigned_ = address % size != 0;
  next_address_ = address - address % size;
  to_issue_ = beats_ = rules::beats_of(address, bytes, axi_);
  stream_beats_ = (std::int64_t{bytes} + size - 1) / size;
  issued_ = received_ = streamed_ = 0;
  issue_from_ = written + dma_.mm2s_start;
  stream_free_ = written + 1;
  in_flight_.clear();
  slots_.clear();
  for (int i = 0; i < axi_.outstanding; ++i) slots_.push(kLongAgo);
  runs_.clear();
}

// A slot freed, or FIFO room, at an edge is used again from the next one on.
bool Mm2s::next(Burst& burst) {
  if (to_issue_ == 0 || slots_.empty()) return false;
  const int beats = rules::burst_beats(next_address_, to_issue_, axi_);
  const std::int64_t streamed_before = issued_ + beats - fifo_beats_;  // so many beats must have left the FIFO
  Edge room = kLongAgo;
  if (streamed_before > 0) {
    if (streamed_before > streamed_) return false;
    while (runs_.front().first + runs_.front().beats < streamed_before) runs_.pop();
    room = runs_.front().edge + (streamed_before - 1 - runs_.front().first) + 1;
  }
  burst.pushed = std::max({issue_from_, slots_.front(), room});
  burst.address = static_cast<std::uint32_t>(next_address_);
  burst.beats = beats;
  slots_.pop();
  in_flight_.push(beats);
  issue_from_ = burst.pushed + 1;
  issued_ += beats;
  to_issue_ -= beats;
  next_address_ += static_cast<std::uint64_t>(beats * axi_.beat_bytes());
  return true;
}

// Stream beats that are complete with the first `received` beats of the FIFO.
std::int64_t Mm2s::complete(std::int64_t received) const {
  if (received == beats_) return stream_beats_;
  return realigned_ && received > 0 ? received - 1 : received;
}

void Mm2s::data(Edge pushed, int beats) {
  const Edge popped = pushed + 1;
  const std::int64_t complete_before = complete(received_);
  const std::int64_t run = complete(received_ + beats) - complete_before;
  if (run > 0) {
    const std::int64_t needed = std::min(complete_before + realigned_, beats_ - 1);
    const Edge visible = popped + (needed - received_) + dma_.mm2s_stream;
    const Edge edge = std::max(stream_free_, visible);
    runs_.push({complete_before, run, edge});
    stream_free_ = edge + run;
    streamed_ += run;
  }
  received_ += beats;
  if ((in_flight_.front() -= beats) > 0) return;
  in_flight_.pop();
  slots_.push(popped + beats);
}

}  // namespace fansim::timing

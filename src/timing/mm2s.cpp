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
  issued_ = received_ = 0;
  issue_from_ = written + dma_.mm2s_start;
  stream_free_ = written + 1;
  in_flight_.clear();
  slots_.clear();
  for (int i = 0; i < axi_.outstanding; ++i) slots_.push(kLongAgo);
  streamed_.clear();
}

// A slot freed, or FIFO room, at an edge is used again from the next one on.
bool Mm2s::next(Burst& burst) {
  if (to_issue_ == 0 || slots_.empty()) return false;
  const int beats = rules::burst_beats(next_address_, to_issue_, axi_);
  const std::int64_t streamed_before = issued_ + beats - fifo_beats_;  // so many beats must have left the FIFO
  Edge room = kLongAgo;
  if (streamed_before > 0) {
    if (streamed_before > streamed_.count()) return false;
    room = streamed_.at(streamed_before - 1) + 1;
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
    streamed_.push(edge, run);
    stream_free_ = edge + run;
  }
  received_ += beats;
  if ((in_flight_.front() -= beats) > 0) return;
  in_flight_.pop();
  slots_.push(popped + beats);
}

void Mm2s::describe(Edge origin, std::vector<Edge>& state) const {
  state.insert(state.end(),
               {issue_from_ - origin, stream_free_ - origin, issued_ - received_, received_ - streamed_.count(),
                static_cast<Edge>(slots_.size()), static_cast<Edge>(streamed_.runs().size())});
  for (std::size_t i = 0; i < slots_.size(); ++i) state.push_back(slots_[i] - origin);
  for (std::size_t i = 0; i < streamed_.runs().size(); ++i) {
    const BeatRuns::Run& run = streamed_.runs()[i];
    state.insert(state.end(), {run.first - streamed_.count(), run.beats, run.edge - origin});
  }
  for (std::size_t i = 0; i < in_flight_.size(); ++i) state.push_back(in_flight_[i]);
}

std::int64_t Mm2s::equal_bursts() const {
  const std::int64_t bytes = std::int64_t{axi_.burst_beats} * axi_.beat_bytes();
  const bool aligned = rules::kBurstBoundary % bytes == 0 && next_address_ % static_cast<std::uint64_t>(bytes) == 0;
  return aligned ? to_issue_ / axi_.burst_beats : 0;
}

void Mm2s::skip(std::int64_t bursts, Edge by) {
  const std::int64_t beats = bursts * axi_.burst_beats;
  next_address_ += static_cast<std::uint64_t>(beats * axi_.beat_bytes());
  to_issue_ -= beats;
  issued_ += beats, received_ += beats;
  streamed_.skip(beats, by);
  issue_from_ += by, stream_free_ += by;
  for (std::size_t i = 0; i < slots_.size(); ++i) slots_[i] += by;
}

}  // namespace fansim::timing

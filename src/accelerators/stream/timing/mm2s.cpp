// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/timing/mm2s.h"

#include <algorithm>

#include "rules/burst.h"

namespace fansim::stream {

namespace {

// Bursts one behind the other, each with its data L edges after its grant: L + 1 edges after a burst has left the bus
// its slot is free, mm2s_stream edges later its last beats' room in the FIFO. A burst that needs either is pushed then,
// and can be granted two edges later. By then the bus is free if the bursts between the two take no less than L + 3
// edges; they are as many as there are slots, but one, and one of them may be shorter.
timing::Edge longest_latency(const contract::DmaConfig& dma, const contract::AxiConfig& axi, std::int64_t shortest,
                             bool realigned) {
  if (!rules::BurstStarts::fill(axi)) return timing::kLongAgo;
  const std::int64_t between = axi.outstanding > 1 ? (axi.outstanding - 2) * axi.burst_beats + shortest : 0;
  const std::int64_t room = axi.mm2s_fifo_beats() - axi.burst_beats - realigned - dma.mm2s_stream;
  return std::min(between, room) - 3;
}

}  // namespace

timing::Edge longest_train_latency(const contract::DmaConfig& dma, const contract::AxiConfig& axi) {
  return longest_latency(dma, axi, 1, true);
}

Mm2s::Mm2s(const contract::DmaConfig& dma, const contract::AxiConfig& axi, timing::Memory& memory)
    : dma_(dma),
      axi_(axi),
      bursts_fill_(rules::BurstStarts::fill(axi)),
      fifo_beats_(axi.mm2s_fifo_beats()),
      read_latency_(memory.read_latency()),
      regular_(read_latency_ <= longest_train_latency(dma, axi)),
      memory_(memory) {}

void Mm2s::start(timing::Edge written, std::uint32_t address, std::uint32_t bytes) {
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

timing::Train Mm2s::train(std::uint64_t address, std::int64_t beats, timing::Edge arrival) const {
  timing::Train train{arrival, read_latency_, rules::BurstStarts(address, beats, axi_)};
  if (regular_) return train;
  const bool few = bursts_fill_ && train.starts.bursts() <= axi_.outstanding;
  train.longest_latency = few ? timing::kNever : longest_latency(dma_, axi_, train.starts.shortest(), realigned_);
  return train;
}

timing::Span Mm2s::alone(timing::Edge written, std::uint32_t address, std::uint32_t bytes) const {
  const timing::Edge grant = arrives(written) + 1;
  return {grant, grant + rules::beats_of(address, bytes, axi_)};
}

// A stream beat is visible with the memory's beat that completes it, the first of them or, if bytes are realigned and
// there is one, the second.
timing::Edge Mm2s::streamed(const timing::Span& bus, std::uint32_t address, std::uint32_t bytes) const {
  const bool awaits = rules::in_beat(address, axi_) != 0 && bus.to - bus.from > 1;
  return bus.from + read_latency_ + 1 + awaits + dma_.mm2s_stream + rules::beats_of(bytes, axi_) - 1;
}

// What holds up bursts holds up all that are streamed behind them.
timing::Edge Mm2s::take_all(timing::Edge written, std::uint32_t address, std::uint32_t bytes,
                            timing::Edge write_decided) {
  const int offset = rules::in_beat(address, axi_);
  realigned_ = offset != 0;
  const std::int64_t beats = rules::beats_of(address, bytes, axi_);
  const timing::Train whole = train(address - static_cast<std::uint32_t>(offset), beats, arrives(written));
  const timing::Edge end = memory_.read_whole(whole, write_decided);
  if (end == timing::kNever) return timing::kNever;
  const timing::Span bus{end - beats, end};  // had all come at once
  made(bus);
  return streamed(bus, address, bytes);
}

bool Mm2s::ask_all() {
  const timing::Train train = this->train(next_address_, to_issue_, issue_from_ + 1);
  if (!memory_.read_all(*this, train)) return false;
  issued_ = beats_, to_issue_ = 0;
  received_ = train.starts.begin(beats_);
  streamed_.skip(complete(received_), 0);
  in_flight_.push(static_cast<int>(beats_ - received_));
  return true;
}

// A slot freed, or FIFO room, at an edge is used again from the next one on.
bool Mm2s::ask() {
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

// Stream beats that are complete with the first `received` beats of the FIFO.
std::int64_t Mm2s::complete(std::int64_t received) const {
  if (received == beats_) return stream_beats_;
  return realigned_ && received > 0 ? received - 1 : received;
}

timing::Edge Mm2s::data(int beats, timing::Edge from) {
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

void Mm2s::describe(timing::Edge origin, std::vector<timing::Edge>& state) const {
  state.insert(state.end(),
               {issue_from_ - origin, stream_free_ - origin, issued_ - received_, received_ - streamed_.count(),
                unused_, static_cast<timing::Edge>(slots_.size()), static_cast<timing::Edge>(streamed_.runs().size())});
  for (std::size_t i = 0; i < slots_.size(); ++i) state.push_back(slots_[i] - origin);
  for (std::size_t i = 0; i < streamed_.runs().size(); ++i) {
    const BeatRuns::Run& run = streamed_.runs()[i];
    state.insert(state.end(), {run.first - streamed_.count(), run.beats, run.edge - origin});
  }
  for (std::size_t i = 0; i < in_flight_.size(); ++i) state.push_back(in_flight_[i]);
}

std::int64_t Mm2s::equal_bursts() const {
  if (to_issue_ < axi_.burst_beats || !bursts_fill_) return 0;
  const auto bytes = static_cast<std::uint64_t>(axi_.burst_beats) * static_cast<std::uint64_t>(axi_.beat_bytes());
  return next_address_ % bytes == 0 ? to_issue_ / axi_.burst_beats : 0;
}

void Mm2s::skip(std::int64_t bursts, timing::Edge by) {
  const std::int64_t beats = bursts * axi_.burst_beats;
  next_address_ += static_cast<std::uint64_t>(beats * axi_.beat_bytes());
  to_issue_ -= beats;
  issued_ += beats, received_ += beats;
  streamed_.skip(beats, by);
  issue_from_ += by, pushed_ += by, stream_free_ += by;
  for (std::size_t i = 0; i < slots_.size(); ++i) slots_[i] += by;
}

}  // namespace fansim::stream

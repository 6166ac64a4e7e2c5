// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/replay/replayed_inputs.h"

#include <algorithm>

#include "rules/burst.h"
#include "rules/pace.h"

namespace fansim::stream {

using timing::trains::ReadTrain;

namespace {

// Bursts follow each other on the bus, each with its data L edges after its grant. A burst's slot is free L + 1 edges
// after it has left the bus, and the room of its last beats in the FIFO mm2s_stream edges later. A burst that needs
// either is pushed then, and can be granted two edges later. By then the bus is free if the bursts between the two take
// at least L + 3 edges. There are as many of these as slots, but one, and one of them may be shorter.
timing::Edge longest_latency(const contract::DmaConfig& dma, const contract::AxiConfig& axi, std::int64_t shortest,
                             bool realigned) {
  if (!rules::BurstStarts::fill(axi)) return timing::kLongAgo;
  const std::int64_t between = axi.outstanding > 1 ? (axi.outstanding - 2) * axi.burst_beats + shortest : 0;
  const std::int64_t room = axi.mm2s_fifo_beats() - axi.burst_beats - realigned - dma.mm2s_stream;
  return std::min(between, room) - 3;
}

}  // namespace

bool takes_trains(const contract::DdrConfig& ddr, const contract::AxiConfig& axi) {
  return ddr.fidelity != contract::DdrFidelity::banked && rules::pace_of(ddr, axi.data_bits).whole();
}

timing::Edge longest_train_latency(const contract::DmaConfig& dma, const contract::AxiConfig& axi) {
  return longest_latency(dma, axi, 1, true);
}

ReplayedInputs::ReplayedInputs(const contract::DmaConfig& dma, const contract::AxiConfig& axi, timing::Memory& memory,
                               timing::trains::FixedTrains* trains)
    : InputPath(dma, axi, memory),
      trains_(trains),
      bursts_fill_(rules::BurstStarts::fill(axi)),
      read_latency_(trains != nullptr ? trains->read_latency() : timing::kNever),
      always_trains_(read_latency_ <= longest_train_latency(dma, axi)) {}

ReadTrain ReplayedInputs::train(std::uint64_t address, std::int64_t beats, timing::Edge arrival) const {
  ReadTrain train{arrival, read_latency_, rules::BurstStarts(address, beats, axi_)};
  if (always_trains_) return train;
  const bool few = bursts_fill_ && train.starts.bursts() <= axi_.outstanding;
  train.longest_latency = few ? timing::kNever : longest_latency(dma_, axi_, train.starts.shortest(), realigned_);
  return train;
}

timing::Span ReplayedInputs::alone(timing::Edge written, std::uint32_t address, std::uint32_t bytes) const {
  const timing::Edge grant = arrives(written) + 1;
  return {grant, grant + rules::beats_of(address, bytes, axi_)};
}

// A stream beat is visible with the memory's beat that completes it. For the first stream beat that is the first beat,
// or the second, if bytes are realigned and there is a second.
timing::Edge ReplayedInputs::streamed(const timing::Span& bus, std::uint32_t address, std::uint32_t bytes) const {
  const bool awaits = rules::in_beat(address, axi_) != 0 && bus.to - bus.from > 1;
  return bus.from + read_latency_ + 1 + awaits + dma_.mm2s_stream + rules::beats_of(bytes, axi_) - 1;
}

// Whatever holds up a burst holds up all beats that are streamed behind it.
timing::Edge ReplayedInputs::take_all(timing::Edge written, std::uint32_t address, std::uint32_t bytes,
                                      timing::Edge write_decided) {
  const int offset = rules::in_beat(address, axi_);
  realigned_ = offset != 0;
  const std::int64_t beats = rules::beats_of(address, bytes, axi_);
  const ReadTrain whole = train(address - static_cast<std::uint32_t>(offset), beats, arrives(written));
  const timing::Edge end = trains_ != nullptr ? trains_->read_whole(whole, write_decided) : timing::kNever;
  if (end == timing::kNever) return timing::kNever;
  const timing::Span bus{end - beats, end};  // had all come at once
  made(bus);
  return streamed(bus, address, bytes);
}

bool ReplayedInputs::ask_all() {
  if (trains_ == nullptr) return false;
  const ReadTrain train = this->train(next_address_, to_issue_, issue_from_ + 1);
  if (!trains_->read_all(*this, train)) return false;
  issued_ = beats_;
  to_issue_ = 0;
  received_ = train.starts.begin(beats_);
  streamed_.leave_out(complete(received_));
  in_flight_.push(static_cast<int>(beats_ - received_));
  return true;
}

std::int64_t ReplayedInputs::equal_bursts() const {
  if (to_issue_ < axi_.burst_beats || !bursts_fill_) return 0;
  const auto bytes = static_cast<std::uint64_t>(axi_.burst_beats) * static_cast<std::uint64_t>(axi_.beat_bytes());
  return next_address_ % bytes == 0 ? to_issue_ / axi_.burst_beats : 0;
}

}  // namespace fansim::stream

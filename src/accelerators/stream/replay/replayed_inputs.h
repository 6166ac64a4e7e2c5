// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "accelerators/stream/timing/input_path.h"
#include "timing/trains/fixed_trains.h"

namespace fansim::stream {

// Whether the memory takes reads as trains: its timing is constants, and all of its beats are the accelerator's.
bool takes_trains(const contract::DdrConfig& ddr, const contract::AxiConfig& axi);

// The longest latency of the memory with which the bursts of any read by itself are a train.
timing::Edge longest_train_latency(const contract::DmaConfig& dma, const contract::AxiConfig& axi);

// The memory-to-stream half of the DMA with reads that the memory takes as trains.
class ReplayedInputs final : public InputPath {
 public:
  // `trains`: the memory, if it takes trains; or null.
  ReplayedInputs(const contract::DmaConfig& dma, const contract::AxiConfig& axi, timing::Memory& memory,
                 timing::trains::FixedTrains* trains);

  // Whether any read by itself is a train.
  bool always_trains() const { return always_trains_; }
  // When the first burst of a transfer arrives at the memory, if LENGTH is written at `written`.
  timing::Edge arrives(timing::Edge written) const { return written + dma_.mm2s_start + 1; }
  // The beats on the bus of a read by itself that is a train, if no refresh meets them.
  timing::Span alone(timing::Edge written, std::uint32_t address, std::uint32_t bytes) const;
  // The edge at which the last beat of such a read is streamed.
  timing::Edge streamed(const timing::Span& bus, std::uint32_t address, std::uint32_t bytes) const;
  // Such a read was made; it was the last.
  void made(const timing::Span& bus) { pushed_ = bus.to + read_latency_ - 1; }
  // Makes the whole transfer, with no write decided before `write_decided`. Returns the edge at which the last beat is
  // streamed; never: it cannot be made so, and nothing of it is.
  timing::Edge take_all(timing::Edge written, std::uint32_t address, std::uint32_t bytes, timing::Edge write_decided);
  // Asks the memory for all of a transfer that has just started; false: it does not take it as a train.
  bool ask_all();
  // How many bursts to come are all as long as the longest.
  std::int64_t equal_bursts() const;

  template <class State>
  void visit(State& state) {
    state.edge(issue_from_);
    state.edge(stream_free_);
    state.edge(pushed_);
    state.counter(next_address_);
    state.counter(to_issue_);
    state.counter(issued_);
    state.count(received_);
    streamed_.visit(state);
    state.number(unused_);
    state.queue(slots_, [&](timing::Edge& slot) { state.edge(slot); });
    state.queue(in_flight_, [&](int& beats) { state.number(beats); });
  }

 private:
  timing::trains::ReadTrain train(std::uint64_t address, std::int64_t beats, timing::Edge arrival) const;

  timing::trains::FixedTrains* const trains_;
  const bool bursts_fill_;  // the space between boundaries
  const timing::Edge read_latency_;
  const bool always_trains_;
};

}  // namespace fansim::stream

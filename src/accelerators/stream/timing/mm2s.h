// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "accelerators/stream/timing/beat_runs.h"
#include "contract/axi.h"
#include "contract/dma.h"
#include "timing/memory.h"
#include "timing/queue.h"

namespace fansim::stream {

// The longest latency of the memory with which the bursts of any read by itself are a train, each asked for before the
// one before it is through.
timing::Edge longest_train_latency(const contract::DmaConfig& dma, const contract::AxiConfig& axi);

// The memory-to-stream half of the DMA, a burst at a time. Its stream is always taken: a receiver is armed before a
// transfer starts.
class Mm2s final : public timing::ReadSink {
 public:
  Mm2s(const contract::DmaConfig& dma, const contract::AxiConfig& axi, timing::Memory& memory);

  // Whether any read by itself is a train.
  bool regular() const { return regular_; }
  // Such a one's beats on the bus, if no refresh meets them; then the edge at which the last is streamed.
  timing::Span alone(timing::Edge written, std::uint32_t address, std::uint32_t bytes) const;
  timing::Edge streamed(const timing::Span& bus, std::uint32_t address, std::uint32_t bytes) const;
  // The last such read.
  void made(const timing::Span& bus) { pushed_ = bus.to + read_latency_ - 1; }
  // LENGTH is written at `written`, the channel being idle: the first burst arrives at the memory.
  timing::Edge arrives(timing::Edge written) const { return written + dma_.mm2s_start + 1; }
  // All of the transfer, with no write decided before that edge: the last beat is streamed. Never: nothing of it is
  // made.
  timing::Edge take_all(timing::Edge written, std::uint32_t address, std::uint32_t bytes, timing::Edge write_decided);
  // Only begins it.
  void start(timing::Edge written, std::uint32_t address, std::uint32_t bytes);
  // Asks the memory for all of a transfer that has just started; false: it does not take it so.
  bool ask_all();
  // Asks the memory for the next burst, as soon as it is known when it is pushed; false: it is not.
  bool ask();
  timing::Edge data(int beats, timing::Edge from) override;

  // What decides the rest of the transfer, seen from edge `origin`, appended to `state`.
  void describe(timing::Edge origin, std::vector<timing::Edge>& state) const;
  // Bursts to come that are all as long as the longest.
  std::int64_t equal_bursts() const;
  // Takes the next `bursts` of those as done, with everything `by` edges later.
  void skip(std::int64_t bursts, timing::Edge by);

  bool active() const { return streamed_.count() < stream_beats_; }
  // Of the transfer that ended last: the edge at which its last beat was streamed.
  timing::Edge finished() const { return stream_free_ - 1; }

 private:
  timing::Train train(std::uint64_t address, std::int64_t beats, timing::Edge arrival) const;
  std::int64_t complete(std::int64_t received) const;

  static constexpr int kPort = 0;
  const contract::DmaConfig dma_;
  const contract::AxiConfig axi_;
  const bool bursts_fill_;  // the space between boundaries
  const std::int64_t fifo_beats_;
  const timing::Edge read_latency_;
  const bool regular_;
  timing::Memory& memory_;

  // The transfer. A stream beat is complete with beat `beat` of the FIFO: the same, or the next if bytes are realigned.
  std::uint64_t next_address_ = 0;
  std::int64_t to_issue_ = 0;
  std::int64_t issued_ = 0;
  std::int64_t beats_ = 0;
  std::int64_t stream_beats_ = 0;
  bool realigned_ = false;
  timing::Edge issue_from_ = 0;
  std::int64_t received_ = 0;
  timing::Edge pushed_ = timing::kLongAgo;  // the last beat by the memory, of whatever transfer
  timing::Edge stream_free_ = 0;            // first edge at which another beat may be streamed
  timing::Queue<int> in_flight_;            // beats to come, per burst
  int unused_ = 0;                          // slots
  timing::Queue<timing::Edge> slots_;       // the others, free from these edges on
  BeatRuns streamed_;                       // stream beats
};

}  // namespace fansim::stream

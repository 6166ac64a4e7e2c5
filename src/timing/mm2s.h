// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "arch/axi.h"
#include "arch/dma.h"
#include "timing/beat_runs.h"
#include "timing/memory.h"
#include "timing/queue.h"

namespace fansim::timing {

// The memory-to-stream half of the DMA, a burst at a time. Its stream is always taken: a receiver is armed before a
// transfer starts.
class Mm2s {
 public:
  Mm2s(const arch::DmaConfig& dma, const arch::AxiConfig& axi);

  // LENGTH was written at `written`, the channel being idle.
  void start(Edge written, std::uint32_t address, std::uint32_t bytes);
  // The next burst, as soon as it is known when it is pushed.
  bool next(Burst& burst);
  // `beats` further beats of the oldest burst are pushed by the memory from `pushed` on.
  void data(Edge pushed, int beats);

  // What decides the rest of the transfer, seen from edge `origin`, appended to `state`.
  void describe(Edge origin, std::vector<Edge>& state) const;
  // Bursts to come that are all as long as the longest.
  std::int64_t equal_bursts() const;
  // Takes the next `bursts` of those as done, with everything `by` edges later.
  void skip(std::int64_t bursts, Edge by);

  bool active() const { return streamed_.count() < stream_beats_; }
  // Of the transfer that ended last: the edge at which its last beat was streamed.
  Edge finished() const { return stream_free_ - 1; }

 private:
  std::int64_t complete(std::int64_t received) const;

  const arch::DmaConfig dma_;
  const arch::AxiConfig axi_;
  const std::int64_t fifo_beats_;

  // The transfer. A stream beat is complete with beat `beat` of the FIFO: the same, or the next if bytes are realigned.
  std::uint64_t next_address_ = 0;
  std::int64_t to_issue_ = 0;
  std::int64_t issued_ = 0;
  std::int64_t beats_ = 0;
  std::int64_t stream_beats_ = 0;
  bool realigned_ = false;
  Edge issue_from_ = 0;
  std::int64_t received_ = 0;
  Edge stream_free_ = 0;  // first edge at which another beat may be streamed
  Queue<int> in_flight_;  // beats to come, per burst
  Queue<Edge> slots_;     // free from these edges on
  BeatRuns streamed_;     // stream beats
};

}  // namespace fansim::timing

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "contract/axi.h"
#include "contract/dma.h"
#include "contract/row_transfers.h"
#include "timing/beat_runs.h"
#include "timing/memory.h"
#include "timing/queue.h"

namespace fansim::timing {

// How an image's rows come: the memory-to-stream half of the DMA, told of one transfer when the one before has ended, a
// burst at a time, its stream taken beat by beat.
class RowReads final : public ReadSink {
 public:
  // Without `closed_forms` no beats are in step.
  RowReads(const contract::DmaConfig& dma, const contract::AxiConfig& axi, Memory& memory, int port,
           bool closed_forms = true);

  // The first transfer's command is pushed at `start`.
  void begin(const contract::RowTransfers& rows, Edge start);
  // Asks the memory for the next burst, as soon as it is known when it is pushed; false: it is not.
  bool ask();
  // The next stream beat, which the reader can pop from `ready` on, pops at `popped`; false: it is not known when it
  // leaves the mover.
  bool next(Edge ready, Edge& popped);
  // How many of `most` beats the reader can pop at `first`, `first + step` and so on, each as soon as it asks for it;
  // and so many popped.
  std::int64_t in_step(Edge first, Edge step, std::int64_t most);
  void pop_in_step(Edge first, Edge step, std::int64_t beats);
  Edge data(int beats, Edge from) override;

  std::int64_t bytes() const { return bytes_; }

 private:
  struct Received {
    Edge visible;
    std::int64_t beats;
  };

  void command(Edge pushed);
  void stream();
  void show(Edge visible, std::int64_t beats);

  const contract::DmaConfig dma_;
  const contract::AxiConfig axi_;
  const int port_;
  const bool closed_forms_;
  Memory& memory_;

  contract::RowTransfers rows_;  // still to be asked for
  std::int64_t bytes_ = 0;

  // The transfer, in beats from its start, `beats_` of them of the stream. One that does not begin with a beat of the
  // memory's leaves from the memory's second on, and once more from the last if that holds more than one leaves.
  std::uint64_t next_address_ = 0;
  std::int64_t to_issue_ = 0, issued_ = 0, beats_ = 0;
  std::int64_t to_come_ = 0;                         // beats of the memory
  bool joins_first_ = false, repeats_last_ = false;  // unaligned
  Edge issue_from_ = 0, active_from_ = 0;
  Queue<int> in_flight_;
  Queue<Edge> slots_;
  Queue<Received> visible_;  // received and not streamed
  BeatRuns streamed_;
  Edge pushed_ = kLongAgo;  // the last beat by the memory, of whatever transfer
  Edge last_left_ = kLongAgo;
  Queue<Edge> offered_;  // of beats on the stream that are not popped, when they came
  Pops pops_;            // by the reader
};

}  // namespace fansim::timing

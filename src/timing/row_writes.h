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

// How a result's rows leave: the stream-to-memory half of the DMA, told of one transfer when the one before has ended.
// Stream beats are taken one after the other, a burst is told as soon as it is known when it is pushed.
class RowWrites final : public WriteSource {
 public:
  // Without `closed_forms` no beats are in step.
  RowWrites(const contract::DmaConfig& dma, const contract::AxiConfig& axi, Memory& memory, int port,
            bool closed_forms = true);

  // The first transfer's command is pushed at `start`.
  void begin(const contract::RowTransfers& rows, Edge start);
  // The first edge at which the packer may push its next beat, and that the push was at `pushed`. Room is known when
  // the beats before it are taken.
  bool has_room() {
    accept();
    return pushed_ - accepted_in_all_ < 2;
  }
  Edge room() const { return (pushed_ == accepted_in_all_ ? accepts_.before : accepts_.last) + 1; }
  void push(Edge pushed);
  // Pushes as many of `most` beats as have room at `first`, `first + step` and so on, since those before are taken an
  // edge after their push.
  std::int64_t push_in_step(Edge first, Edge step, std::int64_t most);
  // Tells the memory of the next burst, as soon as it is known when it is pushed; false: it is not.
  bool ask();
  void take(Edge from) override;
  void respond(Edge from) override;

  bool done() const { return beats_ == 0; }
  // The last response was popped; the rows' block knows an edge later.
  Edge answered() const { return answered_; }
  std::int64_t bytes() const { return bytes_; }

  // From when on the gap behind the last burst has passed; it may reach into the next layer.
  Edge idle_from() const { return idle_from_; }
  void idle_from(Edge edge) { idle_from_ = edge; }

 private:
  struct Outgoing {
    int beats;
    Edge pushed;
    int sent;            // beats
    Edge first, second;  // of them
  };

  void command(Edge pushed);
  void accept() {
    if (!offered_.empty()) take_offered();
  }
  void take_offered();
  void send();
  void ends_burst();

  const contract::DmaConfig dma_;
  const contract::AxiConfig axi_;
  const int port_;
  const bool closed_forms_;
  Memory& memory_;

  contract::RowTransfers rows_;
  std::int64_t bytes_ = 0;
  Queue<Edge> offered_;  // beats pushed and not taken
  std::int64_t pushed_ = 0, accepted_in_all_ = 0;
  Pops accepts_;

  // The transfer, in beats of the memory from its start; those of the stream are one less where its first bytes and its
  // last ones are less than a beat together. An unaligned beat takes the room of two.
  std::uint64_t address_ = 0;
  std::int64_t beats_ = 0, stream_beats_ = 0, accepted_ = 0, issued_ = 0;
  std::int64_t unaligned_ = 0;  // 1: it is
  Edge accept_from_ = 0, issued_at_ = kLongAgo;
  BeatRuns sent_;
  BeatRuns accepted_at_;
  Edge last_sent_ = kLongAgo, idle_from_ = kLongAgo;
  Pops sent_pops_;
  Queue<Outgoing> unsent_;                     // bursts that are not taken
  std::size_t sending_ = 0;                    // of those, the one that is being sent
  std::int64_t sent_in_all_ = 0, popped_ = 0;  // beats, of whatever transfer
  Queue<Edge> slots_;
  int unanswered_ = 0;
  Edge responded_ = kLongAgo, answered_ = kLongAgo;
};

}  // namespace fansim::timing

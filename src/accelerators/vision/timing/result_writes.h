// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "accelerators/vision/config/config.h"
#include "accelerators/vision/config/rows.h"
#include "timing/beat_runs.h"
#include "timing/memory.h"
#include "timing/queue.h"

namespace fansim::vision {

// How a result's rows leave: RowMover and the stream-to-memory half of the DMA. Stream beats are taken one after the
// other, a burst is told as soon as it is known when it is pushed.
class ResultWrites final : public timing::WriteSource {
 public:
  ResultWrites(const Config& config, timing::Memory& memory);

  // The mover's block pops its job at `start`.
  void begin(const RowsOfJob& rows, timing::Edge start);
  // The first edge at which the packer may push its next beat, and that the push was at `pushed`. Room is known when
  // the beats before it are taken.
  bool has_room() { return accept(), pushed_ - accepted_in_all_ < 2; }
  timing::Edge room() const { return (pushed_ == accepted_in_all_ ? accepts_.before : accepts_.last) + 1; }
  void push(timing::Edge pushed);
  // Tells the memory of the next burst, as soon as it is known when it is pushed; false: it is not.
  bool ask();
  void take(timing::Edge from) override;
  void respond(timing::Edge from) override;

  bool done() const { return beats_ == 0; }
  // The last response was popped; the rows' block knows an edge later.
  timing::Edge answered() const { return answered_; }
  std::int64_t bytes() const { return bytes_; }

 private:
  struct Outgoing {
    int beats;
    timing::Edge pushed;
    int sent;                    // beats
    timing::Edge first, second;  // of them
  };

  void command(timing::Edge pushed);
  void accept();
  void send();
  void ends_burst();

  static constexpr int kPort = 0;
  const contract::DmaConfig dma_;
  const contract::AxiConfig axi_;
  timing::Memory& memory_;

  RowsOfJob rows_;
  std::int64_t bytes_ = 0;
  timing::Queue<timing::Edge> offered_;  // beats pushed and not taken
  std::int64_t pushed_ = 0, accepted_in_all_ = 0;
  timing::Pops accepts_;

  // The transfer, in beats from its start.
  std::uint64_t address_ = 0;
  std::int64_t beats_ = 0, accepted_ = 0, issued_ = 0;
  timing::Edge accept_from_ = 0, issued_at_ = timing::kLongAgo;
  timing::BeatRuns sent_;
  timing::BeatRuns accepted_at_;
  timing::Edge last_sent_ = timing::kLongAgo, idle_from_ = timing::kLongAgo;
  timing::Pops sent_pops_;
  timing::Queue<Outgoing> unsent_;             // bursts that are not taken
  std::size_t sending_ = 0;                    // of those, the one that is being sent
  std::int64_t sent_in_all_ = 0, popped_ = 0;  // beats, of whatever transfer
  timing::Queue<timing::Edge> slots_;
  int unanswered_ = 0;
  timing::Edge responded_ = timing::kLongAgo, answered_ = timing::kLongAgo;
};

}  // namespace fansim::vision

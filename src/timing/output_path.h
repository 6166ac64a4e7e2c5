// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "arch/stream_config.h"
#include "arch/tile.h"
#include "timing/beat_runs.h"
#include "timing/memory.h"
#include "timing/packing.h"
#include "timing/queue.h"

namespace fansim::timing {

// How tiles leave: output writer, packer and the stream-to-memory half of the DMA. A transfer at a time, beat by beat
// until a beat does as the one before; a burst is told as soon as it is known when it is pushed.
class OutputPath {
 public:
  explicit OutputPath(const arch::StreamConfig& config);

  // The job's tile was reported at `edge`.
  void tile(const arch::Command& job, Edge edge);
  // The next burst, as soon as it is known when it is pushed.
  bool next(Burst& burst);
  // The memory pops the beats of the oldest burst without data from `from` on; returns when the first one is popped,
  // the others follow edge by edge.
  Edge send(Edge from);
  // The response of the oldest burst was pushed at `edge`.
  void answer(Edge edge);

  bool idle() const { return !busy_ && tiles_.empty(); }
  // Tiles fetched so far, and the edge at which the last one's half was given back: free from the next one on.
  std::int64_t tiles_sent() const { return tiles_sent_; }
  Edge fetched() const { return fetched_; }
  std::int64_t bytes() const { return bytes_; }
  // No burst before this edge, because of the gap behind those before.
  Edge gap_until() const { return idle_from_; }
  void wait_gap(Edge until) { idle_from_ = until; }

 private:
  struct Tile {
    arch::Command job;
    Edge edge;
  };
  struct Outgoing {
    int beats;
    Edge pushed;
  };

  void begin_tile();
  void begin_transfer();
  void end_transfer(Edge answered);
  bool accept(std::int64_t beats);
  int words_of_beat() const;
  void pack_beat();
  std::int64_t steady_beats(std::int64_t most);
  std::int64_t sent_before_next() const { return accepted_ + 1 + realigned_ - 2 * std::int64_t{axi_.burst_beats}; }

  const arch::DmaConfig dma_;
  const arch::AxiConfig axi_;
  const int lanes_;
  const int output_channels_;

  Queue<Tile> tiles_;
  bool busy_ = false;  // with a tile
  Edge free_ = 0;      // the writer looks for tiles from here on
  arch::Command job_;
  arch::TileShape shape_;
  int row_ = 0, plane_ = 0;
  Edge address_ = 0;  // the writer pushes the destination
  std::int64_t tiles_sent_ = 0;
  Edge fetched_ = 0;
  std::int64_t bytes_ = 0;

  // The transfer. Words, stream beats and memory beats each count from its start.
  bool realigned_ = false;
  std::uint64_t base_ = 0;
  std::int64_t beats_ = 0, stream_beats_ = 0;
  int words_ = 0, words_taken_ = 0;
  Edge accept_from_ = 0;
  Packing packing_;
  Edge steady_ = 0;            // not 0: the last beat came so much after the one before, with all that decides it
  std::int64_t accepted_ = 0;  // stream beats
  std::int64_t issued_ = 0;    // memory beats
  Edge issued_at_ = 0;
  BeatRuns sent_;  // memory beats pushed on W
  Edge last_sent_ = kLongAgo;
  Pops sent_pops_;             // by the memory
  Edge idle_from_ = kLongAgo;  // after the last burst's data, of whatever transfer, and its gap
  Queue<Outgoing> unsent_;
  Queue<Edge> slots_;  // free from these edges on
  int unanswered_ = 0;
};

}  // namespace fansim::timing

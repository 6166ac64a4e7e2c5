// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "accelerators/stream/config/config.h"
#include "accelerators/stream/config/tile.h"
#include "accelerators/stream/timing/beat_runs.h"
#include "accelerators/stream/timing/known_transfers.h"
#include "timing/memory.h"
#include "timing/queue.h"

namespace fansim::stream {

// How tiles leave: output writer, packer and the stream-to-memory half of the DMA. A transfer at a time, its beats in
// runs; a burst is told as soon as it is known when it is pushed.
class OutputPath final : public timing::WriteSource {
 public:
  // `known`: what has been seen of transfers through such a port and memory.
  OutputPath(const Config& config, timing::Memory& memory, KnownTransfers known = {});

  // The job's tile was reported at `edge`; it goes to `address`.
  void tile(const Command& job, std::uint32_t address, timing::Edge edge);
  // Makes whole transfers that are known, up to the end of a tile, where nothing else is on the bus and no read arrives
  // before the last burst of each is decided, or one that meets a running read as another did; false: the next must be
  // made burst by burst.
  bool ask_all(timing::Edge read_arrives = timing::kNever);
  // The first edge at which a burst of it may be decided, as far as that is known; kNever: it is idle.
  timing::Edge first_decided() const;
  // Tells the memory of the next burst, as soon as it is known when it is pushed; false: it is not.
  bool ask();
  void take(timing::Edge from) override;
  void respond(timing::Edge from) override;

  bool idle() const { return !busy_ && tiles_.empty(); }
  // Tiles fetched so far, and the edge at which the last one's half was given back: free from the next one on.
  std::int64_t tiles_sent() const { return tiles_sent_; }
  timing::Edge fetched() const { return fetched_; }
  std::int64_t bytes() const { return bytes_; }
  // No burst before this edge, because of the gap behind those before.
  timing::Edge gap_until() const { return idle_from_; }
  void wait_gap(timing::Edge until) { idle_from_ = until; }
  // The last thing that it is asked for.
  KnownTransfers take_known() { return std::move(kinds_); }

 private:
  struct Tile {
    TileShape shape;
    int row_pitch = 0, plane_pitch = 0;
    std::uint32_t address = 0;
    timing::Edge edge = 0;
  };

  // The transfer that has not begun takes what others have taken.
  bool known() const { return busy_ && !begun_ && kind_->quiet; }
  void begin_tile();
  void begin_transfer();
  void end_transfer(timing::Edge answered);
  void end_tile(timing::Edge cleared);
  bool meet();
  void learn(timing::Edge answered);
  KnownTransfer* kind_by(std::int64_t key);
  bool begin_bursts();
  void push(int beats, timing::Edge edge);
  bool accept(std::int64_t beats);

  static constexpr int kPort = 0;
  const contract::DmaConfig dma_;
  const contract::AxiConfig axi_;
  const int word_bytes_;
  const int pixel_bytes_;
  const int packs_;                // edges that a beat takes: its words, one at least
  const std::int64_t burst_mask_;  // an address's bits within a burst: all, where they do not fill up to boundaries
  timing::Memory& memory_;

  timing::Queue<Tile> tiles_;
  bool busy_ = false;      // with a tile
  timing::Edge free_ = 0;  // the writer looks for tiles from here on
  Tile tile_;
  std::int64_t stream_beats_ = 0;  // of each of its transfers
  int words_ = 0;
  std::int64_t whole_beats_ = 0;  // that have as many words as a beat can
  int row_ = 0, plane_ = 0;
  std::uint32_t destination_ = 0, row_address_ = 0;
  timing::Edge address_ = 0;  // the writer pushes the destination
  std::int64_t tiles_sent_ = 0;
  timing::Edge fetched_ = 0;
  std::int64_t bytes_ = 0;

  // The transfer. Words, stream beats and memory beats each count from its start.
  bool realigned_ = false;
  std::uint64_t base_ = 0;
  std::int64_t beats_ = 0;
  KnownTransfers kinds_;
  std::int64_t key_ = -1;  // of its kind
  KnownTransfer* kind_ = nullptr;
  std::int64_t issued_ = 0;  // memory beats

  // Of its bursts, once one was asked for.
  bool begun_ = false;
  std::size_t bursts_ = 0;  // pushed
  bool all_known_ = false;  // the kind's are all
  Packed packed_;
  timing::Edge accept_from_ = 0;
  timing::Edge issued_at_ = 0;
  BeatRuns sent_;  // memory beats pushed on W
  timing::Edge last_sent_ = timing::kLongAgo;
  timing::Pops sent_pops_;                     // by the memory
  timing::Edge idle_from_ = timing::kLongAgo;  // after the last burst's data, of whatever transfer, and its gap
  timing::Queue<Outgoing> unsent_;
  int unused_ = 0;                     // slots
  timing::Queue<timing::Edge> slots_;  // the others, free from these edges on
  int unanswered_ = 0;
  timing::WholeWrite write_;                   // as far as it has come
  timing::Meeting meeting_;                    // with a read
  bool meets_ = false;                         // there is one
  bool quiet_ = true;                          // nothing else held up its bursts
  timing::Edge responded_ = timing::kLongAgo;  // the last response by the memory, of whatever transfer
};

}  // namespace fansim::stream

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "accelerators/stream/config/config.h"
#include "accelerators/stream/config/tile.h"
#include "accelerators/stream/timing/packing.h"
#include "timing/beat_runs.h"
#include "timing/memory.h"
#include "timing/queue.h"

namespace fansim::stream {

// How tiles leave: output writer, packer and the stream-to-memory half of the DMA, one transfer after another. The
// memory is asked for a burst as soon as it is clear when its address is pushed.
class OutputPath : public timing::WriteSource {
 public:
  OutputPath(const Config& config, timing::Memory& memory);

  // The job's tile was reported at `edge`; it goes to `address`.
  void tile(const Command& job, std::uint32_t address, timing::Edge edge);
  // Asks the memory for the next burst; false: it is not clear yet when its address is pushed.
  virtual bool ask();
  void take(timing::Edge from) override;
  void respond(timing::Edge from) override;

  bool idle() const { return !busy_ && tiles_.empty(); }
  // How many tiles have been fetched, and the edge at which the last one's half of the buffer was given back: it is
  // free from the next edge on.
  std::int64_t tiles_sent() const { return tiles_sent_; }
  timing::Edge fetched() const { return fetched_; }
  std::int64_t bytes() const { return bytes_; }
  // No burst is pushed before this edge, because of the gap behind the bursts before.
  timing::Edge gap_until() const { return idle_from_; }
  void wait_gap(timing::Edge until) { idle_from_ = until; }

 protected:
  // A burst, and when its address is pushed.
  struct Outgoing {
    int beats;
    timing::Edge pushed;
  };
  // From the push of a burst's address to the decision on it, on a free bus.
  static constexpr timing::Edge kGranted = 2;
  // A register write over the writer's AXI-Lite port acts an edge after it is pushed; its response is popped another
  // edge later.
  static constexpr timing::Edge kActs = 1, kAnswered = 2;
  // From a transfer's last response to the writer's next act: the registers count the completion an edge later, the
  // writer sees the interrupt, and an edge after that clears it.
  static constexpr timing::Edge kCleared = 3;

  // The transfer's first burst is about to be asked for. Returns whether bursts have been asked for by this call.
  virtual bool begin_bursts();
  // Packs and accepts stream beats until there are so many. false: the FIFO has no room before further beats are sent.
  virtual bool accept(std::int64_t beats);
  // The address of the transfer's next burst is pushed at `edge`.
  virtual void push(int beats, timing::Edge edge);
  // The memory takes the oldest burst from `from` on. Returns the edge at which it pops the first beat.
  timing::Edge send(timing::Edge from);
  // The transfer's last response is popped at `answered`.
  virtual void end_transfer(timing::Edge answered) { next_transfer(answered); }
  // The next transfer of the tile, or the next tile.
  void next_transfer(timing::Edge answered) {
    const timing::Edge cleared = answered + kCleared;
    address_ = cleared + kAnswered;
    begun_ = false;
    if (++plane_ < tile_.shape.planes) {
      destination_ += static_cast<std::uint32_t>(tile_.plane_pitch);
      return;
    }
    plane_ = 0;
    if (++row_ < tile_.shape.rows) {
      destination_ = row_address_ += static_cast<std::uint32_t>(tile_.row_pitch);
      return;
    }
    end_tile(cleared);
  }

  const contract::DmaConfig dma_;
  const contract::AxiConfig axi_;
  const int word_bytes_;
  const int pixel_bytes_;
  const int packs_;  // edges that a beat takes: as many as its words, at least one
  timing::Memory& memory_;

  struct Tile {
    TileShape shape;
    int row_pitch = 0, plane_pitch = 0;
    std::uint32_t address = 0;
    timing::Edge edge = 0;
  };
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

  // The transfer, once its bursts are asked for. Words, stream beats and memory beats each count from its start.
  bool begun_ = false;
  bool realigned_ = false;
  std::uint64_t base_ = 0;
  std::int64_t beats_ = 0;     // memory beats
  std::int64_t issued_ = 0;    // of these
  std::int64_t accepted_ = 0;  // stream beats
  Packing packing_;
  timing::Edge accept_from_ = 0;
  timing::Edge issued_at_ = 0;
  timing::BeatRuns sent_;  // memory beats pushed on W
  timing::Edge last_sent_ = timing::kLongAgo;
  timing::Pops sent_pops_;                     // by the memory
  timing::Edge idle_from_ = timing::kLongAgo;  // after the last burst's data, of whatever transfer, and its gap
  timing::Queue<Outgoing> unsent_;
  int unused_ = 0;                     // slots
  timing::Queue<timing::Edge> slots_;  // the others, free from these edges on
  int unanswered_ = 0;
  timing::Edge responded_ = timing::kLongAgo;  // the last response by the memory, of whatever transfer

  static constexpr int kPort = 0;

 private:
  void begin_tile();
  void end_tile(timing::Edge cleared);
};

}  // namespace fansim::stream

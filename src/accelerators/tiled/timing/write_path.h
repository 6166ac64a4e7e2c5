// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "accelerators/tiled/config/encoding.h"
#include "accelerators/tiled/timing/burst_channel.h"
#include "accelerators/tiled/timing/two_stage_pipe.h"
#include "accelerators/tiled/timing/write_beats.h"
#include "timing/memory.h"
#include "timing/queue.h"

namespace fansim::tiled {

// Tiles of outputs into memory: tiled::MapEncoder, axi::RunWriter, and the channels to the memory's port and back,
// beat by beat. Every edge is computed as soon as those that it depends on are known.
class WritePath final : public timing::WriteSource {
 public:
  WritePath(const PathConfig& config, const Encoding& encoding, timing::Memory& memory);

  // The next run may be pushed from room() on, once has_room(), to encoder and writer alike.
  bool has_room() const { return writer_popped_.count() >= runs_ - 1 && encoder_popped_.count() >= runs_ - 1; }
  timing::Edge room() const { return std::max(writer_popped_[runs_ - 2], encoder_popped_[runs_ - 2]) + 1; }
  void push(const tiled::Run& run, timing::Edge pushed);
  // A filled half for the encoder; before the tile's first run.
  void open(timing::Edge pushed) { filled_.push(pushed), changed_ = true; }

  bool advance();
  void take(timing::Edge from) override;
  void respond(timing::Edge from) override;

  // The edges at which the encoder freed a half, and at which a tile's last response was taken; oldest first.
  timing::Queue<timing::Edge>& freed() { return freed_; }
  timing::Queue<timing::Edge>& ends() { return ends_; }
  std::int64_t beats_sent() const { return beats_.sent().count(); }
  std::int64_t bytes() const { return bytes_; }

 private:
  struct Run {
    tiled::Run run;
    timing::Edge pushed;
  };
  struct Answer {
    int parts;  // to come
    bool ends_tile;
  };

  // What can be known now of a stage, or of its next item; false: nothing.
  bool fill();
  bool encode();
  bool leave();
  bool accept();
  bool start_run();
  bool issue();
  bool convert();
  bool ask();

  static constexpr int kPort = 0;
  const PathConfig config_;
  const Encoding encoding_;
  const int buffer_beats_;
  timing::Memory& memory_;

  bool changed_ = false;  // something is known that a stage may depend on

  // Encoder.
  std::int64_t runs_ = 0;
  timing::Queue<Run> to_encode_;
  History encoder_popped_{4};
  timing::Queue<timing::Edge> filled_, freed_, ends_;
  bool open_ = false;
  int to_read_ = 0;  // beats of the run
  std::int64_t bytes_ = 0;
  TwoStagePipe encoder_;

  // Writer.
  timing::Queue<Run> to_write_;
  History writer_popped_{4};
  std::uint64_t address_ = 0;  // of the next burst
  int to_issue_ = 0;           // beats of the run
  bool ends_tile_ = false;
  timing::Edge issued_ = timing::kLongAgo;  // the last burst, or the next one's earliest edge less one
  std::int64_t beats_issued_ = 0, bursts_issued_ = 0, bursts_converted_ = 0, parts_asked_ = 0;
  BurstChannel channel_;

  History accepted_;  // beats, by the writer's buffer
  WriteBeats beats_;

  // Responses, of parts, then of bursts.
  timing::Queue<Answer> to_answer_;
  History responded_{4}, returned_, gathered_{4}, joined_, response_written_{4}, response_crossed_, answered_;
};

}  // namespace fansim::tiled

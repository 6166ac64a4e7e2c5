// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>

#include "accelerators/tiled/timing/burst_channel.h"
#include "accelerators/tiled/timing/read_beats.h"
#include "timing/memory.h"
#include "timing/queue.h"

namespace fansim::tiled {

// Runs of memory into a decoder: axi::RunReader, the channels to the memory's port and back, and tiled::MapDecoder
// or WeightDecoder.
class ReadPath final : public timing::ReadSink {
 public:
  ReadPath(const PathConfig& config, int gap, timing::Memory& memory, int port);

  // The next run may be pushed from room() on, once has_room(); it is pushed at `pushed` to reader and decoder alike.
  bool has_room() const { return reader_popped_.count() >= runs_ - 1 && decoder_popped_.count() >= runs_ - 1; }
  timing::Edge room() const { return std::max(reader_popped_[runs_ - 2], decoder_popped_[runs_ - 2]) + 1; }
  void push(const ReadRun& run, timing::Edge pushed);

  // Asks the memory for all that can be asked for; false: nothing has changed.
  bool advance() {
    if (changed_) ask_all();
    return std::exchange(changed_, false);
  }
  timing::Edge data(int beats, timing::Edge from) override;

  // The edges at which the tiles' last values were taken, oldest first.
  timing::Queue<timing::Edge>& ends() { return ends_; }
  std::int64_t beats_taken() const { return beats_taken_; }

  // No beat is taken before: the gap behind a burst outlives its layer.
  void wait_gap(timing::Edge until) { beats_.wait_gap(until); }
  timing::Edge gap_until() const { return beats_.gap_until(); }

 private:
  struct Run {
    ReadRun run;
    timing::Edge pushed;
  };

  void ask_all();
  bool start_run();
  bool issue();
  bool ask();
  void start_decoding();
  void end_burst();

  const PathConfig config_;
  timing::Memory& memory_;
  const int port_;

  bool changed_ = false;  // something is known that a request may depend on

  // Towards the memory.
  std::int64_t runs_ = 0;
  timing::Queue<Run> to_read_, to_decode_;
  History reader_popped_, decoder_popped_;  // runs
  std::uint64_t address_ = 0;               // of the next burst
  int to_issue_ = 0;                        // beats of the run
  timing::Edge issued_ = timing::kLongAgo;  // the reader's last burst, or its next one's earliest edge less one
  BurstChannel channel_;
  std::int64_t bursts_issued_ = 0, bursts_taken_ = 0, parts_asked_ = 0, parts_returned_ = 0;
  History burst_spread_, burst_taken_, part_returned_;

  // Back.
  timing::Queue<ReadBurst> in_flight_;
  timing::Queue<int> to_return_;  // beats of the parts
  ReadBeats beats_;
  bool decoding_ = false, ends_tile_ = false;  // a run
  std::int64_t beats_taken_ = 0;
  timing::Queue<timing::Edge> ends_;
};

}  // namespace fansim::tiled

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "accelerators/tiled/timing/burst_channel.h"
#include "timing/memory.h"
#include "timing/queue.h"

namespace fansim::tiled {

// A run as a load stage asks for it, and how its decoder takes it.
struct ReadRun {
  std::uint32_t address = 0;
  int beats = 0;
  bool last = false;  // of a tile
  // Scattered: a value per cycle, `values` of them after the first `skip` of the first beat.
  bool scattered = false;
  int values = 0, skip = 0, per_beat = 1;
};

// Runs of memory into a decoder: axi::RunReader, the channels to the memory's port and back, and tiled::MapDecoder
// or WeightDecoder, beat by beat.
class ReadPath final : public timing::ReadSink {
 public:
  ReadPath(const PathConfig& config, int gap, timing::Memory& memory, int port);

  // The next run may be pushed from room() on, once has_room(); it is pushed at `pushed` to reader and decoder alike.
  bool has_room() const { return reader_popped_.count() >= runs_ - 1 && decoder_popped_.count() >= runs_ - 1; }
  timing::Edge room() const { return std::max(reader_popped_[runs_ - 2], decoder_popped_[runs_ - 2]) + 1; }
  void push(const ReadRun& run, timing::Edge pushed);

  // Asks the memory for all that can be asked for; false: nothing new.
  bool advance();
  timing::Edge data(int beats, timing::Edge from) override;

  // The edges at which the tiles' last values were taken, oldest first.
  timing::Queue<timing::Edge>& ends() { return ends_; }
  std::int64_t beats_taken() const { return beats_taken_; }

  // No beat is taken before: the gap behind a burst outlives its layer.
  void wait_gap(timing::Edge until) { take_from_ = until; }
  timing::Edge gap_until() const { return take_from_; }

 private:
  struct Run {
    ReadRun run;
    timing::Edge pushed;
  };
  // A burst of which beats are to come.
  struct Burst {
    std::uint64_t address;  // of its next beat
    int beats;
    bool ends_run;
  };

  bool start_run();
  bool issue();
  bool ask();
  void spread();
  bool gather();
  void narrow(timing::Edge sent);
  void decode();
  void start_decoding();
  int skip(int beats);
  bool unobstructed() const;

  static constexpr int kLookedAt = 3;  // last beats, to which those behind them look back

  const PathConfig config_;
  const int gap_;
  timing::Memory& memory_;
  const int port_;

  // Towards the memory.
  std::int64_t runs_ = 0;
  timing::Queue<Run> to_read_, to_decode_;
  History reader_popped_, decoder_popped_;  // runs
  std::uint64_t address_ = 0;               // of the next burst
  int to_issue_ = 0;                        // beats of the run
  timing::Edge issued_ = timing::kLongAgo;  // the reader's last burst, or its next one's earliest edge less one
  BurstChannel channel_;
  std::int64_t bursts_issued_ = 0, bursts_spread_ = 0, bursts_taken_ = 0, parts_asked_ = 0, parts_returned_ = 0;
  timing::Queue<Burst> to_spread_, to_take_;
  timing::Queue<int> to_return_;  // beats of the parts
  History burst_spread_, burst_taken_, part_returned_;

  // Back: beats of the port, then of the manager.
  timing::Edge sent_ = timing::kLongAgo;
  timing::Pops returned_, geared_;
  int lanes_ = 0;  // bytes of the beat that is being gathered
  timing::Edge narrow_ = timing::kLongAgo, crossed_ = timing::kLongAgo;
  timing::Pops written_, taken_, decoded_;
  History places_;  // of the clock crossing: free again
  timing::Edge take_from_ = timing::kLongAgo;
  std::int64_t beats_taken_ = 0;

  // Decoding.
  ReadRun run_;
  int beats_left_ = 0, values_left_ = 0, skip_ = 0;
  timing::Edge decode_from_ = timing::kLongAgo;
  const bool outruns_;  // the manager takes beats at least as fast as the port brings them
  timing::Queue<timing::Edge> ends_;
};

}  // namespace fansim::tiled

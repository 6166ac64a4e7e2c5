// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "accelerators/tiled/paths/burst_channel.h"
#include "accelerators/tiled/paths/path_step.h"
#include "accelerators/tiled/paths/read_beats.h"
#include "accelerators/tiled/paths/read_script.h"
#include "accelerators/tiled/paths/run_issuer.h"

namespace fansim::tiled {

// Runs of memory, as a loader issues them, into a decoder: axi::RunReader, the channels to the memory's port and back,
// and tiled::MapDecoder or WeightDecoder. Everything that can be asked for is, as soon as it is known.
class ReadPath {
 public:
  using Script = ReadScript;

  ReadPath(const PathConfig& config, int gap);

  // A tile begins, behind the last run of the one before; or data may be sent.
  void follow(const PathStep& told, ReadScript& script, PathSteps& tells);

  // No beat is taken before: the gap behind a burst outlives its layer.
  void wait_gap(timing::Edge until) { beats_.wait_gap(until); }
  timing::Edge gap_until() const { return beats_.gap_until(); }

  // No run is left.
  bool idle() const { return in_flight_.empty() && !decoding_ && runs_.idle() && !issuing_; }
  // An edge of the port near the last that counts.
  timing::Edge near() const;
  // What is told at an earlier edge of the port is as if told then.
  timing::Edge port_floor() const { return beats_.next_sent(); }
  template <class Picture>
  void show(Picture& picture);

 private:
  void data(int beats, timing::Edge from);
  bool issue_run();
  bool start_run();
  bool issue();
  bool ask();
  void start_decoding();
  void end_burst();

  PathConfig config_;
  // Of follow().
  ReadScript* script_ = nullptr;
  PathSteps* tells_ = nullptr;

  // Towards the memory.
  RunIssuer runs_;
  bool issuing_ = false;                    // bursts of a run are to be issued
  timing::Edge issued_ = timing::kLongAgo;  // the reader's last burst, or its next one's earliest edge less one
  BurstChannel channel_;
  std::int64_t bursts_issued_ = 0, parts_asked_ = 0;
  History burst_spread_, burst_taken_, part_returned_;

  // Back.
  timing::Queue<ReadBeats::Burst> in_flight_;
  struct Returning {
    int beats = 0;  // to come
    timing::Edge asked = timing::kLongAgo;
  };
  timing::Queue<Returning> to_return_;       // parts
  timing::Edge decided_ = timing::kLongAgo;  // the memory has, on the oldest one, behind this edge; or long ago
  ReadBeats beats_;
  bool decoding_ = false;  // a run
};

}  // namespace fansim::tiled

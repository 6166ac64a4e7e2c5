// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "accelerators/tiled/timing/burst_channel.h"
#include "accelerators/tiled/timing/path_event.h"
#include "accelerators/tiled/timing/read_beats.h"
#include "accelerators/tiled/timing/read_runs.h"
#include "accelerators/tiled/timing/run_issuer.h"

namespace fansim::tiled {

// The path of a loader's runs from memory into a decoder: axi::ExtentReader, the channels to the memory's port and
// back, and tiled::MapDecoder or WeightDecoder. Every edge is computed as soon as the edges that it depends on are.
class ReadPath {
 public:
  using Event = PathEvent;
  using Inputs = ReadRuns;

  ReadPath(const PathConfig& config, int gap);

  // The path is told that a tile begins, behind the last run of the tile before, or that data may be sent.
  void follow(const PathEvent& told, ReadRuns& runs, PathEvents& events);

  // The reader takes no beat before `until`: the gap behind a burst may reach into the next layer.
  void wait_gap(timing::Edge until) { beats_.wait_gap(until); }
  timing::Edge gap_until() const { return beats_.gap_until(); }

  template <class V>
  void visit(V& v);

 private:
  void data(int beats, timing::Edge from);
  bool issue_run();
  bool start_run();
  bool issue();
  bool ask();
  void start_decoding();
  void end_burst();
  std::int64_t bursts_issued() const { return burst_taken_.count() + static_cast<std::int64_t>(in_flight_.size()); }
  std::int64_t parts_asked() const { return part_returned_.count() + static_cast<std::int64_t>(to_return_.size()); }

  PathConfig config_;
  // What follow() was given.
  ReadRuns* runs_ = nullptr;
  PathEvents* events_ = nullptr;

  // Towards the memory.
  RunIssuer issuer_;
  bool issuing_ = false;                    // bursts of a run are to be issued
  timing::Edge issued_ = timing::kLongAgo;  // the reader's last burst, or its next one's earliest edge less one
  BurstChannel channel_;
  timing::History burst_spread_, burst_taken_, part_returned_;

  // Back.
  timing::Queue<ReadBeats::Burst> in_flight_;
  struct Returning {
    int beats = 0;  // to come
    timing::Edge asked = timing::kLongAgo;
  };
  timing::Queue<Returning> to_return_;       // parts
  timing::Edge decided_ = timing::kLongAgo;  // the memory decided on the oldest one behind this edge; or long ago
  ReadBeats beats_;
  bool decoding_ = false;  // whether a run is being decoded
};

}  // namespace fansim::tiled

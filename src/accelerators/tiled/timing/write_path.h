// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "accelerators/tiled/timing/burst_channel.h"
#include "accelerators/tiled/timing/path_event.h"
#include "accelerators/tiled/timing/run_issuer.h"
#include "accelerators/tiled/timing/write_beats.h"
#include "accelerators/tiled/timing/write_runs.h"
#include "timing/two_stage_pipe.h"

namespace fansim::tiled {

// The path of tiles of outputs into memory, from the store unit's runs on: tiled::MapEncoder, axi::ExtentWriter, and
// the channels to the memory's port and back. Every edge is computed as soon as the edges that it depends on are.
class WritePath {
 public:
  using Event = PathEvent;
  using Inputs = WriteRuns;

  explicit WritePath(const PathConfig& config);

  // The path is told that a tile begins, behind the last run of the tile before, when its half is filled; that a burst
  // is taken; or that its response may leave the memory, if that edge does not follow from the write.
  void follow(const PathEvent& told, WriteRuns& runs, PathEvents& events);

  template <class V>
  void visit(V& v);

 private:
  struct Answer {
    int parts = 0;  // to come
    bool ends_tile = false;
  };

  void begin_tile(timing::Edge from);
  void respond(timing::Edge from);
  void advance();
  // Each computes what can be computed now of a stage, or its next item, and says whether there was anything.
  bool fill();
  bool encode();
  bool leave();
  bool accept();
  bool answer();
  bool issue_run();
  bool start_run();
  bool issue();
  bool convert();
  bool ask();
  std::int64_t bursts_issued() const { return joined_.count() + static_cast<std::int64_t>(to_answer_.size()); }
  template <class V>
  void visit_encoder(V& v);
  template <class V>
  void visit_responses(V& v, const BurstChannel::Next& next);

  PathConfig config_;
  int buffer_beats_;
  // What follow() was given.
  WriteRuns* runs_ = nullptr;
  PathEvents* events_ = nullptr;

  RunIssuer issuer_;

  // Encoder.
  timing::Queue<timing::Edge> filled_;    // halves, by when they were pushed
  bool open_ = false, encoding_ = false;  // a half, a run
  timing::TwoStagePipe encoder_;

  // Writer.
  timing::Edge issued_ = timing::kLongAgo;  // the last burst, or the next one's earliest edge less one
  RunBurst next_;                           // to be issued
  std::int64_t beats_issued_ = 0, bursts_converted_ = 0, parts_asked_ = 0;
  BurstChannel channel_;

  timing::History accepted_;  // beats, by the writer's buffer
  WriteBeats beats_;

  // Responses, of parts, then of bursts.
  timing::Queue<Answer> to_answer_;
  timing::History responded_{4}, returned_, gathered_{4}, joined_, response_written_{4}, response_crossed_, answered_;
};

}  // namespace fansim::tiled

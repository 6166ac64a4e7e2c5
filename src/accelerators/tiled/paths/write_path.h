// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "accelerators/tiled/paths/burst_channel.h"
#include "accelerators/tiled/paths/path_step.h"
#include "accelerators/tiled/paths/run_issuer.h"
#include "accelerators/tiled/paths/two_stage_pipe.h"
#include "accelerators/tiled/paths/write_beats.h"
#include "accelerators/tiled/paths/write_script.h"

namespace fansim::tiled {

// Tiles of outputs, as the store unit issues their runs, into memory: tiled::MapEncoder, axi::RunWriter, and the
// channels to the memory's port and back. Every edge is computed as soon as those that it depends on are known.
class WritePath {
 public:
  using Script = WriteScript;

  explicit WritePath(const PathConfig& config);

  // A tile begins, behind the last run of the one before, its half being filled; a burst is taken; or its response may
  // leave the memory, where that is not known by itself.
  void follow(const PathStep& told, WriteScript& script, PathSteps& tells);

  // No run is left.
  bool idle() const { return runs_.idle() && !encoding_ && filled_.empty() && next_.beats == 0 && to_answer_.empty(); }
  // An edge of the port near the last that counts.
  timing::Edge near() const;
  // What is told at an earlier edge of the port is as if told then.
  timing::Edge port_floor() const {
    return config_.write_latency ? beats_.next_popped() : std::min(beats_.next_popped(), responded_.last() + 1);
  }
  template <class Picture>
  void show(Picture& picture);

 private:
  struct Answer {
    int parts = 0;  // to come
    bool ends_tile = false;
  };

  void respond(timing::Edge from);
  void advance();
  // What can be known now of a stage, or of its next item; false: nothing.
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
  template <class Picture>
  void show_encoder(Picture& picture);
  template <class Picture>
  void show_responses(Picture& picture, const BurstChannel::Next& next);

  PathConfig config_;
  int buffer_beats_;
  // Of follow().
  WriteScript* script_ = nullptr;
  PathSteps* tells_ = nullptr;

  RunIssuer runs_;

  // Encoder.
  timing::Queue<timing::Edge> filled_;    // halves, by when they were pushed
  bool open_ = false, encoding_ = false;  // a half, a run
  TwoStagePipe encoder_;

  // Writer.
  timing::Edge issued_ = timing::kLongAgo;  // the last burst, or the next one's earliest edge less one
  BurstScript::Burst next_;                 // to be issued
  std::int64_t beats_issued_ = 0, bursts_issued_ = 0, bursts_converted_ = 0, parts_asked_ = 0;
  BurstChannel channel_;

  History accepted_;  // beats, by the writer's buffer
  WriteBeats beats_;

  // Responses, of parts, then of bursts.
  timing::Queue<Answer> to_answer_;
  History responded_{4}, returned_, gathered_{4}, joined_, response_written_{4}, response_crossed_, answered_;
};

}  // namespace fansim::tiled

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "accelerators/tiled/timing/path_config.h"
#include "accelerators/tiled/timing/read_runs.h"
#include "timing/history.h"

namespace fansim::tiled {

// Computes when beats come back from the memory's port: through interconnect, width converter, clock crossing and
// reader into the decoder, each of which hands on a beat per edge through a stream of two entries.
class ReadBeats {
 public:
  // A manager's burst, with the beats that are still to come.
  struct Burst {
    int lane = 0;  // where in a beat of the port the next one begins
    int beats = 0;
    bool ends_run = false, ends_tile = false;
  };

  ReadBeats(const PathConfig& config, int gap)
      : config_(config), gap_(gap), outruns_(config.closed_forms && config.outruns()), places_(config.depth + 1) {}

  // The bursts of `run` come next. It is pushed to the decoder at `pushed`, which pops it at the returned edge.
  timing::Edge decode(const Decoding& run, timing::Edge pushed);
  // Further beats of the port, all of them of `burst`, may leave the memory from `from` on, one per edge.
  void pass(int beats, timing::Edge from, Burst& burst);
  // The burst ends: no beat of the next one is taken before the gap is over.
  void end_burst() { at_.take_from = at_.taken.last + 1 + gap_; }

  // The edges of the last beat: sent by the memory, returned by the interconnect, out of the width converter, taken by
  // the reader and by the decoder.
  timing::Edge sent() const { return at_.sent; }
  timing::Edge next_sent() const { return std::max(at_.sent + 1, at_.returned.room()); }
  timing::Edge returned() const { return at_.returned.last; }
  timing::Edge spread() const { return config_.up() ? at_.narrow : at_.geared.last; }
  timing::Edge taken() const { return at_.taken.last; }
  timing::Edge decoded() const { return at_.decoded.last; }

  void wait_gap(timing::Edge until) { at_.take_from = until; }
  timing::Edge gap_until() const { return at_.take_from; }

  template <class V>
  void visit(V& v);

 private:
  // When the last beats passed each stage: in edges of the port, and from `crossed` on in edges of the fabric.
  struct Stages {
    timing::Edge sent = timing::kLongAgo;
    timing::Pops returned, geared;
    int lanes = 0;  // bytes of the beat that is being gathered
    timing::Edge narrow = timing::kLongAgo, crossed = timing::kLongAgo;
    timing::Pops written, taken, decoded;
    timing::Edge take_from = timing::kLongAgo, decode_from = timing::kLongAgo;
    int values_left = 0, skip = 0;  // of a scattered run
  };

  void spread(Stages& at, Burst& burst);
  bool gather(Stages& at, Burst& burst);
  void narrow(Stages& at, timing::Edge sent);
  int skip(Stages& at, int beats, Burst& burst);
  bool unobstructed(const Stages& at) const;

  PathConfig config_;
  int gap_;
  bool outruns_;  // the manager takes beats at least as fast as the port brings them, and skip() may make use of it
  Stages at_;
  timing::History places_;  // of the clock crossing, by when they are free again
  bool scattered_ = false;
  int per_beat_ = 1;
};

}  // namespace fansim::tiled

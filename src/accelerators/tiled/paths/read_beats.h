// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "accelerators/tiled/paths/history.h"
#include "accelerators/tiled/paths/path_config.h"
#include "accelerators/tiled/paths/picture.h"

namespace fansim::tiled {

// How a decoder takes a run of beats.
struct Decoding {
  // Scattered: a value per cycle, `values` of them after the first `skip` of the first beat.
  bool scattered = false;
  int values = 0, skip = 0, per_beat = 1;

  std::uint64_t word() const {
    return scattered ? static_cast<std::uint64_t>(values) << 16 | static_cast<std::uint64_t>(skip) << 1 | 1U : 0;
  }
};

// Beats on their way back from the memory's port: through interconnect, width converter, clock crossing and reader into
// the decoder, each of which hands on a beat per edge through a stream of two entries.
class ReadBeats {
 public:
  // A manager's burst of which beats are to come.
  struct Burst {
    int lane = 0;  // where in a beat of the port the next one begins
    int beats = 0;
    bool ends_run = false, ends_tile = false;
  };

  ReadBeats(const PathConfig& config, int gap)
      : config_(config), gap_(gap), outruns_(config.outruns()), places_(config.depth + 1) {}

  // The run whose bursts come next; the decoder pops it, from `pushed` on, at the returned edge.
  timing::Edge decode(const Decoding& run, timing::Edge pushed);
  // Further beats of the port, all of `burst`, may leave the memory from `from` on, one per edge.
  void pass(int beats, timing::Edge from, Burst& burst);
  // No beat of the next burst is taken before the gap is over.
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

  template <class Picture>
  void show(Picture& picture);

 private:
  // Where beats are; in edges of the port before the reader's side of the crossing.
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

  static constexpr int kLookedAt = 3;  // last beats, to which those behind them look back

  PathConfig config_;
  int gap_;
  bool outruns_;  // the manager takes beats at least as fast as the port brings them
  Stages at_;
  History places_;  // of the clock crossing: free again
  bool scattered_ = false;
  int per_beat_ = 1;
};

}  // namespace fansim::tiled

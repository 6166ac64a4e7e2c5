// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "accelerators/tiled/timing/burst_channel.h"

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

// A manager's burst of which beats are to come.
struct ReadBurst {
  std::uint64_t address;  // of its next beat
  int beats;
  bool ends_run;
};

// Beats on their way back from the memory's port: through interconnect, width converter, clock crossing and reader into
// the decoder, each of which hands on a beat per edge through a stream of two entries.
class ReadBeats {
 public:
  ReadBeats(const PathConfig& config, int gap)
      : config_(config), gap_(gap), outruns_(config.outruns()), places_(config.depth + 1) {}

  // The run whose bursts come next; the decoder pops it, from `pushed` on, at the returned edge.
  timing::Edge decode(const ReadRun& run, timing::Edge pushed);
  // Further beats of the port, all of `burst`, may leave the memory from `from` on, one per edge.
  void pass(int beats, timing::Edge from, ReadBurst& burst);
  // No beat of the next burst is taken before the gap is over.
  void end_burst() { at_.take_from = at_.taken.last + 1 + gap_; }

  // The edges of the last beat: sent by the memory, returned by the interconnect, out of the width converter, taken by
  // the reader and by the decoder.
  timing::Edge sent() const { return at_.sent; }
  timing::Edge returned() const { return at_.returned.last; }
  timing::Edge spread() const { return config_.up() ? at_.narrow : at_.geared.last; }
  timing::Edge taken() const { return at_.taken.last; }
  timing::Edge decoded() const { return at_.decoded.last; }

  void wait_gap(timing::Edge until) { at_.take_from = until; }
  timing::Edge gap_until() const { return at_.take_from; }

 private:
  // Where beats are; those before `taken` in edges of the port, but for `crossed`.
  struct Stages {
    timing::Edge sent = timing::kLongAgo;
    timing::Pops returned, geared;
    int lanes = 0;  // bytes of the beat that is being gathered
    timing::Edge narrow = timing::kLongAgo, crossed = timing::kLongAgo;
    timing::Pops written, taken, decoded;
    timing::Edge take_from = timing::kLongAgo, decode_from = timing::kLongAgo;
    int values_left = 0, skip = 0;  // of a scattered run
  };

  void spread(Stages& at, ReadBurst& burst);
  bool gather(Stages& at, ReadBurst& burst);
  void narrow(Stages& at, timing::Edge sent);
  int skip(Stages& at, int beats, ReadBurst& burst);
  bool unobstructed(const Stages& at) const;

  static constexpr int kLookedAt = 3;  // last beats, to which those behind them look back

  const PathConfig config_;
  const int gap_;
  const bool outruns_;  // the manager takes beats at least as fast as the port brings them
  Stages at_;
  History places_;  // of the clock crossing: free again
  bool scattered_ = false;
  int per_beat_ = 1;
};

}  // namespace fansim::tiled

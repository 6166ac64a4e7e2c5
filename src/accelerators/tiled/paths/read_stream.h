// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>

#include "accelerators/tiled/paths/known_path.h"
#include "accelerators/tiled/paths/read_path.h"
#include "accelerators/tiled/paths/tiles_to_begin.h"
#include "timing/memory.h"
#include "timing/queue.h"

namespace fansim::tiled {

// A run as a load stage asks for it.
struct ReadRun {
  std::uint32_t address = 0;
  int beats = 0;
  bool last = false;  // of a tile
  Decoding decoding;
};

// A load stage's path to the memory and back. It sets `stirred` whenever advance() has something to do or to tell of.
class ReadStream final : public timing::ReadSink {
 public:
  ReadStream(const PathConfig& config, int gap, timing::Memory& memory, int port, PathBook& book, bool& stirred)
      : memory_(memory),
        port_(port),
        direct_(config.direct()),
        stirred_(stirred),
        path_(config.clocks, ReadPath(config, gap), book),
        script_(config) {}

  // A run of the next tile.
  void push(const ReadRun& run);
  // Its runs are pushed: it begins at `from` at the earliest, once all runs of the one before are issued.
  void begin(timing::Edge from);

  // Asks the memory for all that can be asked for; whether a tile has ended since.
  bool advance() {
    while (!to_ask_.empty()) ask(to_ask_.pop());
    return std::exchange(news_, false);
  }
  timing::Edge data(int beats, timing::Edge from) override;

  // The edges at which tiles began, and at which their last values were taken, oldest first.
  timing::Queue<timing::Edge>& begun() { return tiles_.begun(); }
  timing::Queue<timing::Edge>& ends() { return ends_; }
  std::int64_t beats() const { return beats_; }  // of the runs

  // No beat is taken before: the gap behind a burst outlives its layer.
  void wait_gap(timing::Edge until);
  timing::Edge gap_until() { return path_.now().gap_until(); }

 private:
  void begin_next();
  void ask(const PathStep& burst) { memory_.read(port_, *this, burst.edge, script_.part(burst.beats), burst.beats); }
  void follow(const PathStep& told);
  void hear(const PathStep& step);

  timing::Memory& memory_;
  const int port_;
  const bool direct_;  // PathConfig::direct()
  bool& stirred_;
  KnownPath<ReadPath> path_;
  ReadScript script_;
  bool news_ = false;
  timing::Edge sent_ = 0;
  std::int64_t beats_ = 0;
  TilesToBegin tiles_;
  timing::Queue<PathStep> to_ask_;
  timing::Queue<timing::Edge> ends_;
};

}  // namespace fansim::tiled

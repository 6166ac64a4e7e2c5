// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>

#include "accelerators/tiled/timing/path_follower.h"
#include "accelerators/tiled/timing/read_path.h"
#include "accelerators/tiled/timing/tiles_to_begin.h"
#include "timing/memory.h"
#include "timing/queue.h"

namespace fansim::tiled {

// A run as a load stage asks for it.
struct ReadExtent {
  std::uint32_t address = 0;
  int beats = 0;
  bool last = false;  // of a tile
  Decoding decoding;
};

// Joins a load stage, its path and the memory. It sets `stirred` whenever advance() has something to do or to tell of.
class ReadStream final : public timing::ReadSink {
 public:
  using Follower = PathFollower<ReadPath, ReadStream>;

  ReadStream(const PathConfig& config, Follower& path, timing::Memory& memory, int port, bool& stirred)
      : memory_(memory), port_(port), direct_(config.direct()), stirred_(stirred), path_(path), runs_(config) {}

  // Adds a run to the next tile.
  void push(const ReadExtent& run);
  // Begins the tile, whose runs are pushed: from `from` on, once all runs of the tile before are issued.
  void begin(timing::Edge from);

  // Asks the memory for all that can be asked for, and returns whether a tile has ended since the last call.
  bool advance() {
    while (!to_ask_.empty()) ask(to_ask_.pop());
    return std::exchange(news_, false);
  }
  timing::Edge data(int beats, timing::Edge from) override;

  // The edges at which tiles began, and at which their last values were taken, oldest first.
  timing::Queue<timing::Edge>& begun() { return tiles_.begun(); }
  timing::Queue<timing::Edge>& ends() { return ends_; }
  std::int64_t beats() const { return beats_; }  // of the runs

  // The reader takes no beat before `until`: the gap behind a burst may reach into the next layer.
  void wait_gap(timing::Edge until);
  timing::Edge gap_until() { return path_.path().gap_until(); }

  // The path tells.
  void hear(const PathEvent& event);

 private:
  void begin_next();
  void ask(const PathEvent& burst) {
    memory_.read(port_, *this, burst.edge, runs_.bursts.port_address(burst.beats), burst.beats);
  }
  void follow(const PathEvent& told) { path_.follow(told, runs_, *this); }

  timing::Memory& memory_;
  const int port_;
  const bool direct_;  // PathConfig::direct()
  bool& stirred_;
  Follower& path_;
  ReadRuns runs_;
  bool news_ = false;
  timing::Edge sent_ = 0;
  std::int64_t beats_ = 0;
  TilesToBegin tiles_;
  timing::Queue<PathEvent> to_ask_;
  timing::Queue<timing::Edge> ends_;
};

inline void ReadStream::hear(const PathEvent& event) {
  if (event.what == PathEvent::What::sent) {
    sent_ = event.edge;
  } else if (event.what == PathEvent::What::issued) {
    tiles_.issued(event.edge);
  } else if (event.what == PathEvent::What::asked && direct_) {
    ask(event);
  } else if (event.what == PathEvent::What::asked) {
    stirred_ = true;
    to_ask_.push(event);
  } else {
    stirred_ = news_ = true;
    ends_.push(event.edge);
  }
}

}  // namespace fansim::tiled

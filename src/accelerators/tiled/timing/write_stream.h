// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "accelerators/tiled/config/encoding.h"
#include "accelerators/tiled/config/packing.h"
#include "accelerators/tiled/timing/path_follower.h"
#include "accelerators/tiled/timing/tiles_to_begin.h"
#include "accelerators/tiled/timing/write_path.h"
#include "timing/memory.h"
#include "timing/queue.h"

namespace fansim::tiled {

// Joins the store unit, its path and the memory. It sets `stirred` whenever advance() has something to do or to tell
// of.
class WriteStream final : public timing::WriteSource {
 public:
  using Follower = PathFollower<WritePath, WriteStream>;

  WriteStream(const PathConfig& config, const Encoding& encoding, Follower& path, timing::Memory& memory, bool& stirred)
      : encoding_(encoding),
        value_bytes_(encoding.byte_addressable() ? encoding.slot_bits / 8 : 0),
        memory_(memory),
        direct_(config.direct()),
        stirred_(stirred),
        path_(path),
        runs_(config) {}

  // Adds a run to the next tile.
  void push(const Extent& run);
  // Begins the tile, whose runs are pushed: from `from` on, once all runs of the tile before are issued.
  void begin(timing::Edge from) { tiles_.add(from); }

  // Returns whether tiles have begun or ended or halves were freed since the last call.
  bool advance();
  void take(timing::Edge from) override { tell({PathEvent::What::take, 0, from}); }
  void respond(timing::Edge from) override {
    if (!direct_) tell({PathEvent::What::respond, 0, from});
  }

  // The edges at which a tile began, the encoder freed a half, and a tile's last response was taken; oldest first.
  timing::Queue<timing::Edge>& begun() { return tiles_.begun(); }
  timing::Queue<timing::Edge>& freed() { return freed_; }
  timing::Queue<timing::Edge>& ends() { return ends_; }
  std::int64_t beats() const { return beats_; }  // of the runs
  std::int64_t bytes() const { return bytes_; }

  // The path tells. The memory may take a burst and respond at once.
  void hear(const PathEvent& event);

 private:
  void tell(const PathEvent& told) {
    if (direct_) return follow(told);
    stirred_ = true;
    told_.push(told);
  }
  void follow(const PathEvent& told) { path_.follow(told, runs_, *this); }

  static constexpr int kPort = 0;
  const Encoding encoding_;
  const int value_bytes_;  // bytes of a value, 0 if values share bytes
  timing::Memory& memory_;
  const bool direct_;  // PathConfig::direct()
  bool& stirred_;
  Follower& path_;
  WriteRuns runs_;
  TilesToBegin tiles_;
  timing::Queue<PathEvent> told_;
  bool news_ = false;
  std::int64_t beats_ = 0, bytes_ = 0;
  timing::Queue<timing::Edge> freed_, ends_;
};

inline void WriteStream::hear(const PathEvent& event) {
  if (event.what == PathEvent::What::asked)
    return memory_.write(kPort, *this, event.edge, runs_.bursts.port_address(event.beats), event.beats);
  if (event.what == PathEvent::What::popped) return memory_.written(kPort, event.beats, event.edge);
  stirred_ = news_ = true;
  if (event.what == PathEvent::What::issued)
    tiles_.issued(event.edge);
  else if (event.what == PathEvent::What::freed)
    freed_.push(event.edge);
  else if (event.what == PathEvent::What::ended)
    ends_.push(event.edge);
}

}  // namespace fansim::tiled

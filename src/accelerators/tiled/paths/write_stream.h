// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "accelerators/tiled/config/encoding.h"
#include "accelerators/tiled/paths/known_path.h"
#include "accelerators/tiled/paths/tiles_to_begin.h"
#include "accelerators/tiled/paths/write_path.h"
#include "timing/memory.h"
#include "timing/queue.h"

namespace fansim::tiled {

// The store unit's path to the memory and back. It sets `stirred` whenever advance() has something to do or to tell of.
class WriteStream final : public timing::WriteSource {
 public:
  WriteStream(const PathConfig& config, const Encoding& encoding, timing::Memory& memory, PathBook& book, bool& stirred)
      : encoding_(encoding),
        value_bytes_(encoding.byte_addressable() ? encoding.slot_bits / 8 : 0),
        memory_(memory),
        direct_(config.direct()),
        stirred_(stirred),
        path_(config.clocks, WritePath(config), book),
        script_(config) {}

  // A run of the next tile.
  void push(const Run& run);
  // Its runs are pushed: it begins at `from` at the earliest, once all runs of the one before are issued.
  void begin(timing::Edge from) { tiles_.add(from); }

  // Whether tiles have begun or ended, or halves been freed, since.
  bool advance();
  void take(timing::Edge from) override { tell({PathStep::What::take, 0, from}); }
  void respond(timing::Edge from) override {
    if (!direct_) tell({PathStep::What::respond, 0, from});
  }

  // The edges at which a tile began, the encoder freed a half, and a tile's last response was taken; oldest first.
  timing::Queue<timing::Edge>& begun() { return tiles_.begun(); }
  timing::Queue<timing::Edge>& freed() { return freed_; }
  timing::Queue<timing::Edge>& ends() { return ends_; }
  std::int64_t beats() const { return beats_; }  // of the runs
  std::int64_t bytes() const { return bytes_; }

 private:
  void tell(const PathStep& told) {
    if (direct_)
      follow(told);
    else
      stirred_ = true, told_.push(told);
  }
  void follow(const PathStep& told);
  void hear(const PathStep& step);

  static constexpr int kPort = 0;
  const Encoding encoding_;
  const int value_bytes_;  // of its own, or none
  timing::Memory& memory_;
  const bool direct_;  // PathConfig::direct()
  bool& stirred_;
  KnownPath<WritePath> path_;
  WriteScript script_;
  TilesToBegin tiles_;
  timing::Queue<PathStep> told_;
  bool news_ = false;
  std::int64_t beats_ = 0, bytes_ = 0;
  timing::Queue<timing::Edge> freed_, ends_;
};

}  // namespace fansim::tiled

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "accelerators/tiled/paths/known_path.h"
#include "accelerators/tiled/paths/read_path.h"
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

// A load stage's path to the memory and back.
class ReadStream final : public timing::ReadSink {
 public:
  ReadStream(const PathConfig& config, int gap, timing::Memory& memory, int port, PathBook& book)
      : memory_(memory), port_(port), path_(config.clocks, ReadPath(config, gap), book), script_(config) {}

  // The next run may be pushed from room() on, once has_room(); it is pushed at `pushed` to reader and decoder alike.
  bool has_room() const { return std::min(reader_popped_.count(), decoder_popped_.count()) >= runs_ - 1; }
  timing::Edge room() const { return std::max(reader_popped_[runs_ - 2], decoder_popped_[runs_ - 2]) + 1; }
  void push(const ReadRun& run, timing::Edge pushed);

  // Asks the memory for all that can be asked for; whether there is more room, or ends, than before.
  bool advance() {
    if (!to_ask_.empty()) ask_all();
    return std::exchange(changed_, false);
  }
  timing::Edge data(int beats, timing::Edge from) override;

  // The edges at which the tiles' last values were taken, oldest first.
  timing::Queue<timing::Edge>& ends() { return ends_; }
  std::int64_t beats() const { return beats_; }  // of the runs

  // No beat is taken before: the gap behind a burst outlives its layer.
  void wait_gap(timing::Edge until);
  timing::Edge gap_until() { return path_.now().gap_until(); }

 private:
  void ask_all();
  void follow(const PathStep& told);
  void hear(const PathStep& step);

  timing::Memory& memory_;
  const int port_;
  KnownPath<ReadPath> path_;
  ReadScript script_;
  bool changed_ = false;
  timing::Edge sent_ = 0;
  std::int64_t runs_ = 0, beats_ = 0;
  History reader_popped_{4}, decoder_popped_{4};  // runs
  timing::Queue<PathStep> to_ask_;
  timing::Queue<timing::Edge> ends_;
};

}  // namespace fansim::tiled

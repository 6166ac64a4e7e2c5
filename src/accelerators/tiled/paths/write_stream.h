// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "accelerators/tiled/config/encoding.h"
#include "accelerators/tiled/paths/known_path.h"
#include "accelerators/tiled/paths/write_path.h"
#include "timing/memory.h"
#include "timing/queue.h"

namespace fansim::tiled {

// The store unit's path to the memory and back.
class WriteStream final : public timing::WriteSource {
 public:
  WriteStream(const PathConfig& config, const Encoding& encoding, timing::Memory& memory, PathBook& book)
      : encoding_(encoding), memory_(memory), path_(config.clocks, WritePath(config), book), script_(config) {}

  // The next run may be pushed from room() on, once has_room(), to encoder and writer alike.
  bool has_room() const { return std::min(writer_popped_.count(), encoder_popped_.count()) >= runs_ - 1; }
  timing::Edge room() const { return std::max(writer_popped_[runs_ - 2], encoder_popped_[runs_ - 2]) + 1; }
  void push(const Run& run, timing::Edge pushed);
  // A filled half for the encoder; before the tile's first run.
  void open(timing::Edge pushed) { told_.push({PathStep::What::open, 0, pushed}); }

  // False: nothing has changed.
  bool advance() { return !told_.empty() && follow_all(); }
  void take(timing::Edge from) override { told_.push({PathStep::What::take, 0, from}); }
  void respond(timing::Edge from) override { told_.push({PathStep::What::respond, 0, from}); }

  // The edges at which the encoder freed a half, and at which a tile's last response was taken; oldest first.
  timing::Queue<timing::Edge>& freed() { return freed_; }
  timing::Queue<timing::Edge>& ends() { return ends_; }
  std::int64_t beats() const { return beats_; }  // of the runs
  std::int64_t bytes() const { return bytes_; }

 private:
  bool follow_all();
  void hear(const PathStep& step);

  static constexpr int kPort = 0;
  const Encoding encoding_;
  timing::Memory& memory_;
  KnownPath<WritePath> path_;
  WriteScript script_;
  timing::Queue<PathStep> told_;
  std::int64_t runs_ = 0, beats_ = 0, bytes_ = 0;
  History writer_popped_{4}, encoder_popped_{4};  // runs
  timing::Queue<timing::Edge> freed_, ends_;
};

}  // namespace fansim::tiled

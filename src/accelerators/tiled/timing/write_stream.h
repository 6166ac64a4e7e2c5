// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "accelerators/tiled/config/encoding.h"
#include "accelerators/tiled/timing/known_path.h"
#include "accelerators/tiled/timing/write_path.h"
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
  void push(timing::Edge pushed);
  // A run that is pushed behind those announced before it.
  void announce(const Run& run);
  // A filled half for the encoder; before the tile's first run.
  void open(timing::Edge pushed) { told_.push({PathStep::What::open, 0, pushed}); }

  // False: nothing has changed.
  bool advance() { return !told_.empty() && follow_all(); }
  void take(timing::Edge from) override { ++served_, told_.push({PathStep::What::take, 0, from}); }
  void respond(timing::Edge from) override { told_.push({PathStep::What::respond, 0, from}); }

  // The edges at which the encoder freed a half, and at which a tile's last response was taken; oldest first.
  timing::Queue<timing::Edge>& freed() { return freed_; }
  timing::Queue<timing::Edge>& ends() { return ends_; }
  std::int64_t beats() const { return beats_; }  // of the runs
  std::int64_t bytes() const { return bytes_; }

  // What happened so far: data sent or bursts taken, tokens told of, beats of the port asked for, runs pushed; runs
  // that are announced only.
  std::int64_t served() const { return served_; }
  std::int64_t tokens() const { return tokens_; }
  std::int64_t asked() const { return asked_; }
  std::int64_t pushed() const { return runs_; }
  std::int64_t announced() const { return announced_; }
  // The path's state is known, and counts from this common edge of the clocks.
  bool known() const { return path_.known(); }
  timing::Edge meeting() const { return path_.meeting(); }
  // What it asks of its runs goes into a log; asks that again, unless the answers are others; pushes runs meanwhile,
  // and asks for beats.
  void record(std::vector<std::uint64_t>* log) { path_.record(log); }
  bool again(const std::uint64_t* log, std::size_t count) { return script_.again(log, count); }
  void skip(std::int64_t runs, std::int64_t beats) {
    announced_ -= runs, runs_ += runs;
    script_.skip_parts(beats);
  }
  // When all is told; `issued`: the last push.
  void show(Picture& picture, timing::Edge meeting, timing::Edge issued);

 private:
  bool follow_all();
  void ask(const PathStep& burst);
  void hear(const PathStep& step);

  static constexpr int kPort = 0;
  const Encoding encoding_;
  timing::Memory& memory_;
  KnownPath<WritePath> path_;
  WriteScript script_;
  timing::Queue<PathStep> told_;
  std::int64_t served_ = 0, tokens_ = 0, asked_ = 0, announced_ = 0, runs_ = 0, beats_ = 0, bytes_ = 0;
  History writer_popped_{4}, encoder_popped_{4};  // runs
  timing::Queue<timing::Edge> freed_, ends_;
};

}  // namespace fansim::tiled

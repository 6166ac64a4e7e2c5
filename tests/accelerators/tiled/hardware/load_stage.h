// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <vector>

#include "accelerators/tiled/config/tiled_runs.h"
#include "accelerators/tiled/hardware/types.h"
#include "sim/module.h"
#include "sim/stream.h"
#include "support/blocks.h"

namespace fansim::test {

// Stands for reader, decoder and consumer behind a loader: takes its runs, has a tile complete some edges after its
// last run, and frees its half some edges later.
template <class Command, class Done = tiled::Turn>
class LoadStage final : public sim::Module {
 public:
  sim::StreamIn<tiled::Extent> requests{"requests"};
  sim::StreamIn<Command> commands{"commands"};
  sim::StreamOut<Done> done{"done"};
  sim::StreamOut<tiled::Half> freed{"freed"};

  struct Span {
    sim::Edge begin = 0, end = 0;  // first run taken, `done` pushed
    bool frees = true;             // holds a half of the store
  };

  LoadStage(const sc_core::sc_module_name& name, int stall_percent, sim::Edge load_edges, sim::Edge hold_edges)
      : Module(name), stall_percent_(stall_percent), load_(load_edges), hold_(hold_edges), random_(7, this->name()) {}

  std::vector<Command> taken;
  std::vector<sim::Edge> edges;  // of each run
  std::vector<Span> spans;       // of each tile and of the parameters
  int most_held = 0;             // halves at once
  bool mismatch = false;         // a request that was not the command's run

 private:
  static bool holds(const tiled::MapExtent&) { return true; }
  static bool holds(const tiled::Extent&) { return false; }
  static bool holds(const tiled::WeightExtent& run) { return !run.parameters; }

  static const tiled::Extent& run_of(const tiled::Extent& run) { return run; }
  template <class Other>
  static const tiled::Extent& run_of(const Other& command) {
    return command.run;
  }

  void step() override {
    if (!held_.empty() && held_.front() <= now() && freed.can_push()) {
      held_.pop_front();
      freed.push({0});
      --filled_;
    }
    if (!loading_.empty() && loading_.front() <= now() && done.can_push()) {
      loading_.pop_front();
      spans[ended_].end = now();
      if (spans[ended_++].frees) held_.push_back(now() + hold_);
      done.push();
    }
    if (!requests.can_pop() || !commands.can_pop() || random_.chance(stall_percent_)) return;
    const tiled::Extent request = requests.pop();
    const Command command = commands.pop();
    const tiled::Extent& run = run_of(command);
    mismatch = mismatch || request.address != run.address || request.beats != run.beats;
    if (!open_) {
      spans.push_back({now(), 0, holds(command)});
      filled_ += holds(command);
    }
    open_ = !run.last;
    taken.push_back(command);
    edges.push_back(now());
    if (run.last) loading_.push_back(now() + load_);
    most_held = std::max(most_held, filled_);
  }

  const int stall_percent_;
  const sim::Edge load_, hold_;
  base::Random random_;
  std::deque<sim::Edge> loading_, held_;
  std::size_t ended_ = 0;
  int filled_ = 0;  // halves, or being filled
  bool open_ = false;
};

}  // namespace fansim::test

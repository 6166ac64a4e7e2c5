// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "accelerators/stream/config/array.h"
#include "arith/lut_kernel.h"
#include "timing/pipe.h"

namespace fansim::stream {

// The weight reader and the array's weight sets: one set in use, the next being shifted in, and where the tables are
// reconfigurable one in their reload between the two (docs/timing.md, "The core" and "Multipliers in LUTs").
class WeightFeed {
 public:
  explicit WeightFeed(const ArrayConfig& config)
      : columns_(config.cols),
        reconfigurable_(config.reloads()),
        shadow_(config.shadow_luts),
        reader_(ArrayConfig::bram_read_latency()) {}

  // The first edge at which the sequencer may push another set's command.
  timing::Edge room() const { return command_pops_.room(); }

  // A set's command, pushed at `pushed`: until all its columns are in the array.
  void fetch(timing::Edge pushed) {
    for (int column = 0; column < columns_; ++column) {
      const timing::Edge read = reader_.enter(column == 0 ? pushed + 1 : 0);
      if (column == 0) command_pops_.add(read);
      const timing::Edge offered = reader_.leave(column_pops_.room()) + 1;
      column_pops_.add(std::max({offered, column_pops_.last + 1, column == 0 ? free_ : 0}));
    }
    complete_ = column_pops_.last + 1;
  }

  // The first edge at which the set fetched last may be taken by its first window, which is in front from `waits` on.
  timing::Edge ready(timing::Edge waits, const timing::Pipe& array) {
    if (!reconfigurable_) return complete_;
    free_ = shadow_ ? std::max(complete_, taken_) : array.moving(std::max(complete_, waits));
    return free_ + arith::kReloadCycles;
  }

  // The set's first window was taken.
  void take(timing::Edge edge) {
    taken_ = edge;
    if (!reconfigurable_) free_ = edge;
  }

  template <class State>
  void visit(State& state) {
    reader_.visit(state);
    command_pops_.visit(state);
    column_pops_.visit(state);
    state.edge(free_);
    state.edge(complete_);
    state.edge(taken_);
  }

 private:
  int columns_;
  bool reconfigurable_;
  bool shadow_;
  timing::Pipe reader_;
  timing::Pops command_pops_;
  timing::Pops column_pops_;
  timing::Edge free_ = timing::kLongAgo;  // the first column of the set after the last one may be shifted in
  timing::Edge complete_ = timing::kLongAgo;
  timing::Edge taken_ = timing::kLongAgo;
};

}  // namespace fansim::stream

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "accelerators/stream/config/array.h"
#include "timing/edge.h"

namespace fansim::stream {

// Columns of a pass on their way through the registers of the line memories, each of which moves on as soon as the one
// before it is free; a shift register's column is read and pushed at one edge.
class LineReads {
 public:
  explicit LineReads(int latency) : latency_(latency) {}

  // The next pass may be taken, and the next fill, which waits for the registers to be empty.
  timing::Edge pass_free() const { return read_ + 1; }
  timing::Edge fill_free() const { return std::max(read_, pushed_) + 1; }

  // No column is read before `edge`.
  void begin(timing::Edge edge) { read_ = edge - 1; }

  // The edge at which the next column is pushed, where its place is free from `room` on.
  timing::Edge push(timing::Edge room) {
    read_ = latency_ == 0 ? std::max(read_ + 1, room) : std::max(read_ + 1, before_);
    before_ = pushed_;
    return pushed_ = std::max({read_ + latency_, pushed_ + 1, room});
  }

  // Pushes so many more columns, whose places are free. Returns the last one's edge.
  timing::Edge push_all(timing::Edge columns) {
    for (int i = 0; i < latency_ && columns > 0; ++i, --columns) push(timing::kLongAgo);
    if (columns == 0) return pushed_;
    read_ += columns;
    pushed_ += columns;
    before_ = pushed_ - 1;
    return pushed_;
  }

  template <class State>
  void visit(State& state) {
    state.edge(read_);
    // A shift register pushes a column at the edge at which it reads it: its registers do not matter.
    state.edge(before_, latency_ == 0 ? read_ : timing::kLongAgo);
    state.edge(pushed_, latency_ == 0 ? read_ : timing::kLongAgo);
  }

 private:
  // Two registers: a column is read as the one before the last is pushed, at the earliest.
  static_assert(ArrayConfig::bram_read_latency() == 2);

  int latency_;
  timing::Edge read_ = timing::kLongAgo;
  timing::Edge before_ = timing::kLongAgo, pushed_ = timing::kLongAgo;  // the last two
};

}  // namespace fansim::stream

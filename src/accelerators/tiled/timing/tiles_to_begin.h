// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "timing/edge.h"
#include "timing/queue.h"

namespace fansim::tiled {

// The tiles of a path. Each begins from an edge of its own on, behind the last run of the tile before.
class TilesToBegin {
 public:
  void add(timing::Edge from) { waiting_.push(from); }
  bool can_begin() const { return !issuing_ && !waiting_.empty(); }
  // Begins the next tile; returns the edge.
  timing::Edge begin() {
    const timing::Edge from = std::max(waiting_.pop(), issued_ + 1);
    begun_.push(from);
    issuing_ = true;
    return from;
  }
  // The last run of the tile that began last was issued at `edge`.
  void issued(timing::Edge edge) {
    issuing_ = false;
    issued_ = edge;
  }

  // The edges at which tiles began, oldest first.
  timing::Queue<timing::Edge>& begun() { return begun_; }

 private:
  timing::Queue<timing::Edge> waiting_, begun_;
  bool issuing_ = false;  // whether the tile that began last has runs to issue
  timing::Edge issued_ = timing::kLongAgo;
};

}  // namespace fansim::tiled

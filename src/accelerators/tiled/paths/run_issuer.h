// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "accelerators/tiled/paths/picture.h"
#include "timing/edge.h"
#include "timing/queue.h"

namespace fansim::tiled {

// A loader, or the store unit, as far as it issues the runs of a tile: one per edge at most, to manager and coder
// (decoder or encoder) alike, each behind a stream of two entries.
class RunIssuer {
 public:
  // A tile's first run may be issued at `from`, behind all others.
  void begin_tile(timing::Edge from) { issued_ = from - 1, open_ = true; }
  // The tile's next run is issued; false: all are, or no edge is known at which there is room.
  bool has_room() const { return open_ && !manager_.full() && !coder_.full(); }
  void issue(bool ends_tile) {
    issued_ = std::max({issued_ + 1, manager_.room(), coder_.room()});
    manager_.waiting.push(issued_), coder_.waiting.push(issued_);
    open_ = !ends_tile;
  }
  // The last run.
  timing::Edge issued() const { return issued_; }

  // A run waits there; when the oldest was issued; it is popped.
  bool manager_waits() const { return !manager_.waiting.empty(); }
  bool coder_waits() const { return !coder_.waiting.empty(); }
  timing::Edge at_manager() const { return manager_.waiting.front(); }
  timing::Edge at_coder() const { return coder_.waiting.front(); }
  void pop_manager(timing::Edge edge) { manager_.pop(edge); }
  void pop_coder(timing::Edge edge) { coder_.pop(edge); }

  // Nothing is left.
  bool idle() const { return !open_ && !manager_waits() && !coder_waits(); }
  // Edges before which no run is popped there, and before which no tile begins.
  struct Next {
    timing::Edge manager, coder, tile;
  };
  template <class Picture>
  void show(Picture& picture, const Next& next) {
    picture.number(open_);
    manager_.show_waiting(picture, next.manager);
    coder_.show_waiting(picture, next.coder);
    timing::Edge floor = timing::kLongAgo;  // the next run is issued behind it
    if (picture.taken()) {
      floor = std::max(issued_, open_ ? timing::kLongAgo : next.tile - 1);
      if (manager_.full()) floor = std::max(floor, next.manager);
      if (coder_.full()) floor = std::max(floor, next.coder);
    }
    if (open_) picture.fabric(issued_, floor);
    manager_.show_popped(picture, floor);
    coder_.show_popped(picture, floor);
  }

 private:
  struct Stream {
    timing::Queue<timing::Edge> waiting;  // runs, by when they were issued
    timing::Pops popped;

    bool full() const { return waiting.size() == 2; }
    timing::Edge room() const { return (waiting.empty() ? popped.before : popped.last) + 1; }
    void pop(timing::Edge edge) { waiting.pop(), popped.add(edge); }
    template <class Picture>
    void show_waiting(Picture& picture, timing::Edge earliest) {
      picture.queue(waiting, [&](timing::Edge& edge) { picture.fabric(edge, earliest - 1); });
    }
    // Of the last pops those to which the next runs look back; not later than `floor`, they do not matter.
    template <class Picture>
    void show_popped(Picture& picture, timing::Edge floor) {
      if (!full()) show(picture, popped.last, floor);
      if (waiting.empty()) show(picture, popped.before, floor);
    }
    template <class Picture>
    static void show(Picture& picture, timing::Edge& edge, timing::Edge floor) {
      timing::Edge shown = picture.taken() && edge <= floor ? timing::kLongAgo : edge;
      picture.fabric(shown);
      if (!picture.taken()) edge = shown;
    }
  };

  bool open_ = false;                       // runs of the tile are to be issued
  timing::Edge issued_ = timing::kLongAgo;  // the last, or the next one's earliest edge less one
  Stream manager_, coder_;
};

}  // namespace fansim::tiled

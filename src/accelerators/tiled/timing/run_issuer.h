// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "timing/edge.h"
#include "timing/queue.h"

namespace fansim::tiled {

// The part of a loader or of the store unit that issues the runs of a tile: at most one per edge, to the manager and to
// the coder (decoder or encoder), each behind a stream of two entries.
class RunIssuer {
 public:
  // The first run of the next tile may be issued from `from` on. All runs before it are issued.
  void begin_tile(timing::Edge from) {
    issued_ = from - 1;
    open_ = true;
  }
  // Whether the tile has another run and it is decided when there is room for it.
  bool has_room() const { return open_ && !manager_.full() && !coder_.full(); }
  void issue(bool ends_tile) {
    issued_ = std::max({issued_ + 1, manager_.room(), coder_.room()});
    manager_.waiting.push(issued_);
    coder_.waiting.push(issued_);
    open_ = !ends_tile;
  }
  // The edge of the last run.
  timing::Edge issued() const { return issued_; }

  // Whether a run waits at the manager or coder, when the oldest one was issued, and that it is popped.
  bool manager_waits() const { return !manager_.waiting.empty(); }
  bool coder_waits() const { return !coder_.waiting.empty(); }
  timing::Edge at_manager() const { return manager_.waiting.front(); }
  timing::Edge at_coder() const { return coder_.waiting.front(); }
  void pop_manager(timing::Edge edge) { manager_.pop(edge); }
  void pop_coder(timing::Edge edge) { coder_.pop(edge); }

  // Whether no run is left.
  bool idle() const { return !open_ && !manager_waits() && !coder_waits(); }
  // Edges before which manager and coder pop no run and no tile begins.
  struct Next {
    timing::Edge manager, coder, tile;
  };
  template <class V>
  void visit(V& v, const Next& next) {
    v.number(open_);
    manager_.visit_waiting(v, next.manager);
    coder_.visit_waiting(v, next.coder);
    // A full stream has no room for the next run before its first one is popped.
    timing::Edge room = timing::kLongAgo;
    if (manager_.full()) room = std::max(room, next.manager);
    if (coder_.full()) room = std::max(room, next.coder);
    if (open_) v.edge(issued_, room);
    const timing::Edge floor = std::max({room, issued_, open_ ? timing::kLongAgo : next.tile - 1});
    manager_.visit_popped(v, floor);
    coder_.visit_popped(v, floor);
  }

 private:
  struct Stream {
    timing::Queue<timing::Edge> waiting;  // runs, by when they were issued
    timing::Pops popped;

    bool full() const { return waiting.size() == 2; }
    timing::Edge room() const { return (waiting.empty() ? popped.before : popped.last) + 1; }
    void pop(timing::Edge edge) {
      waiting.pop();
      popped.add(edge);
    }
    template <class V>
    void visit_waiting(V& v, timing::Edge earliest) {
      v.queue(waiting, [&](timing::Edge& edge) { v.edge(edge, earliest - 1); });
    }
    // The last pops to which the next runs look back, where they are behind `floor`.
    template <class V>
    void visit_popped(V& v, timing::Edge floor) {
      if (!full()) v.edge(popped.last, floor);
      if (waiting.empty()) v.edge(popped.before, floor);
    }
  };

  bool open_ = false;                       // whether runs of the tile are left
  timing::Edge issued_ = timing::kLongAgo;  // the last, or the next one's earliest edge less one
  Stream manager_, coder_;
};

}  // namespace fansim::tiled

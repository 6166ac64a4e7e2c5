// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "timing/edge.h"

namespace fansim::timing {

// A block of fixed latency that holds all its stages while its output is full: sim::Pipeline as a recurrence. What
// enters at e arrives at the output at e + latency + the edges held meanwhile, and leaves there as soon as there is
// room. Nothing enters while the stages are held. Items are entered and left one by one, in order.
class Pipe {
 public:
  // As many holds count for an item that enters as others can be in flight; one more is its own.
  explicit Pipe(int latency) : latency_(latency), holds_(static_cast<std::size_t>(latency + 1)) {}

  void reset() { entered_ = newest_end_ = kLongAgo; }

  // The first edge from `earliest` on at which the stages move.
  Edge moving(Edge earliest) const {
    if (earliest >= newest_end_) return earliest;
    for_each([&](const Span& hold) {
      if (earliest >= hold.from && earliest < hold.to) earliest = hold.to;
    });
    return earliest;
  }

  Edge enter(Edge earliest) { return entered_ = moving(std::max(earliest, entered_ + 1)); }

  // The edge at which the item that entered last leaves, where its place is free from `room` on.
  Edge leave(Edge room) {
    Edge arrives = entered_ + latency_;
    if (newest_end_ > entered_) {
      for (const Span& hold : holds_)
        if (hold.from > entered_) arrives += hold.to - hold.from;
    }
    if (room <= arrives) return arrives;
    holds_[oldest_] = {arrives, room};
    oldest_ = oldest_ + 1 == holds_.size() ? 0 : oldest_ + 1;
    newest_end_ = room;
    return room;
  }

  // The held parts of [from, to), in order.
  template <class F>
  void for_each_hold(Edge from, Edge to, F&& visit) const {
    if (from >= newest_end_) return;
    for_each([&](const Span& hold) {
      const Edge begin = std::max(from, hold.from), end = std::min(to, hold.to);
      if (begin < end) visit(begin, end);
    });
  }

  // Holds that ended before the last item entered matter no more.
  template <class State>
  void visit(State& state) {
    state.edge(entered_);
    state.edge(newest_end_, entered_);
    for_each([&](Span& hold) {
      state.edge(hold.to, entered_);
      state.edge(hold.from, hold.to <= entered_ ? entered_ : kLongAgo);
    });
  }

 private:
  // In the order of their edges.
  template <class F>
  void for_each(F&& visit) const {
    for (std::size_t i = oldest_; i < holds_.size(); ++i) visit(holds_[i]);
    for (std::size_t i = 0; i < oldest_; ++i) visit(holds_[i]);
  }
  template <class F>
  void for_each(F&& visit) {
    for (std::size_t i = oldest_; i < holds_.size(); ++i) visit(holds_[i]);
    for (std::size_t i = 0; i < oldest_; ++i) visit(holds_[i]);
  }

  Edge latency_;
  Edge entered_ = kLongAgo;
  Edge newest_end_ = kLongAgo;
  std::vector<Span> holds_;  // a ring
  std::size_t oldest_ = 0;
};

}  // namespace fansim::timing

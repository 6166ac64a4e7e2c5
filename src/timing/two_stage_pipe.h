// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "timing/history.h"

namespace fansim::timing {

// A pipeline of two stages (sim::Pipeline) before a stream, held whole while the stream is full: what enters arrives at
// the output two moving edges later, and leaves into the stream when there is room. Nothing enters while it is held.
class TwoStagePipe {
 public:
  // How many have entered and left so far.
  std::int64_t entered() const { return entered_.count(); }
  std::int64_t left() const { return left_.count(); }
  Edge entered(std::int64_t i) const { return entered_[i]; }
  Edge left(std::int64_t i) const { return left_[i]; }
  Edge last_entered() const { return entered_.last(); }

  // The next item enters at the first moving edge from `earliest` on. False: when the stages move is not decided yet.
  bool enter(Edge earliest) {
    const std::int64_t i = entered();
    if (left() < i - 1) return false;
    earliest = std::max({earliest, entered_.last() + 1, left_[i - 2]});
    if (earliest >= arrived(i - 1)) {
      if (left() < i) return false;
      earliest = std::max(earliest, left_[i - 1]);
    }
    entered_.add(earliest);
    return true;
  }
  // The oldest item leaves, from `room` on.
  void leave(Edge room) { left_.add(std::max(arrived(left()), room)); }

  // Items pass one per edge without being held.
  bool flows() const { return entered() == left() && entered_.last() + 2 == left_.last(); }
  void run(std::int64_t items) {
    entered_.add_run(items);
    left_.add_run(items);
  }

  // `asked`: how many of those that left last are yet to be asked for. `count`: how many have left.
  template <class V>
  void visit(V& v, std::int64_t count, std::int64_t asked) {
    std::int64_t inside = entered() - left();
    v.number(inside);
    const std::int64_t entered = count + inside;
    v.history(entered_, entered - 2, entered, kLongAgo);
    v.history(left_, count - 2, count, asked > 0 ? kLongAgo : entered_[entered - 2] - 1);
  }

 private:
  Edge arrived(std::int64_t i) const { return std::max(entered_[i] + 2, left_[i - 1] + 1); }

  History entered_{8}, left_{8};
};

}  // namespace fansim::timing

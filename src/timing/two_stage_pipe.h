// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "timing/history.h"

namespace fansim::timing {

// Times a pipeline of two stages (sim::Pipeline) before a stream. While the stream is full, the whole pipeline is held
// and nothing enters. What enters arrives at the output two moving edges later, and leaves into the stream when there
// is room.
class TwoStagePipe {
 public:
  // Return how many items have entered and left so far.
  std::int64_t entered() const { return entered_.count(); }
  std::int64_t left() const { return left_.count(); }
  Edge entered(std::int64_t i) const { return entered_[i]; }
  Edge left(std::int64_t i) const { return left_[i]; }
  Edge last_entered() const { return entered_.last(); }

  // Lets the next item enter at the first moving edge from `earliest` on. Returns false if it is not decided yet when
  // the stages move.
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
  // Lets the oldest item leave, from edge `room` on.
  void leave(Edge room) { left_.add(std::max(arrived(left()), room)); }

  // Returns whether items pass one per edge without being held.
  bool flows() const { return entered() == left() && entered_.last() + 2 == left_.last(); }
  void run(std::int64_t items) {
    entered_.add_run(items);
    left_.add_run(items);
  }

  // `asked` is how many of the items that left last are yet to be asked for, `count` how many have left.
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

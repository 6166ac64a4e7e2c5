// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "accelerators/tiled/paths/history.h"
#include "accelerators/tiled/paths/picture.h"

namespace fansim::tiled {

// A pipeline of two stages (sim::Pipeline) before a stream, held whole while the stream is full: what enters arrives at
// the output two moving edges later, and leaves into the stream when there is room. Nothing enters while it is held.
class TwoStagePipe {
 public:
  // So many have entered and left, as far as is known.
  std::int64_t entered() const { return entered_.count(); }
  std::int64_t left() const { return left_.count(); }
  timing::Edge entered(std::int64_t i) const { return entered_[i]; }
  timing::Edge left(std::int64_t i) const { return left_[i]; }
  timing::Edge last_entered() const { return entered_.last(); }

  // The next item enters at the first moving edge from `earliest` on; false if it is not known yet when stages move.
  bool enter(timing::Edge earliest) {
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
  void leave(timing::Edge room) { left_.add(std::max(arrived(left()), room)); }

  // Items pass one per edge without being held.
  bool flows() const { return entered() == left() && entered_.last() + 2 == left_.last(); }
  void run(std::int64_t items) { entered_.add_run(items), left_.add_run(items); }

  // `needed`: of the last ones that left, those whose edges somebody asks for. Put back, `count` have left.
  template <class Picture>
  void show(Picture& picture, std::int64_t count, std::int64_t needed) {
    std::int64_t inside = entered() - left();
    picture.number(inside);
    const std::int64_t entered = count + inside;
    picture.fabric(entered_, entered - 2, entered, timing::kLongAgo);
    picture.fabric(left_, count - 2, count,
                   needed > 0 || !picture.taken() ? timing::kLongAgo : entered_[entered - 2] - 1);
  }

 private:
  timing::Edge arrived(std::int64_t i) const { return std::max(entered_[i] + 2, left_[i - 1] + 1); }

  History entered_{8}, left_{8};
};

}  // namespace fansim::tiled

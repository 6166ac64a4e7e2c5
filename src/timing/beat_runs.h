// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "timing/edge.h"
#include "timing/queue.h"

namespace fansim::timing {

// The edges of a transfer's beats, in runs that are as many edges apart, of one beat per edge unless told otherwise.
class BeatRuns {
 public:
  struct Stretch {
    std::int64_t first;
    std::int64_t beats;
    Edge edge;
    Edge step;
    std::int64_t end() const { return first + beats; }
    Edge at(std::int64_t beat) const { return edge + (beat - first) * step; }
  };

  void clear() {
    runs_.clear();
    count_ = 0;
  }
  void push(Edge edge, std::int64_t beats, Edge step = 1) {
    if (beats <= 0) return;
    runs_.push({count_, beats, edge, step});
    count_ += beats;
  }
  // One beat per edge, of the last run where they follow it.
  void append(Edge edge, std::int64_t beats) {
    if (runs_.empty() || runs_.back().at(count_) != edge) return push(edge, beats);
    runs_.back().beats += beats;
    count_ += beats;
  }
  std::int64_t count() const { return count_; }
  // The run of a beat; nobody asks for earlier beats again.
  const Stretch& of(std::int64_t beat) {
    while (runs_.front().end() <= beat) runs_.pop();
    return runs_.front();
  }
  Edge at(std::int64_t beat) { return of(beat).at(beat); }

  // So many beats pass at edges that nobody asks for.
  void leave_out(std::int64_t beats) { count_ += beats; }

  // Beats count from a counter that the state has visited.
  template <class State>
  void visit(State& state) {
    state.count(count_);
    state.queue(runs_, [&](Stretch& run) {
      state.count(run.first);
      state.number(run.beats);
      state.edge(run.edge);
      state.number(run.step);
    });
  }

 private:
  std::int64_t count_ = 0;
  Queue<Stretch> runs_;
};

}  // namespace fansim::timing

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "accelerators/tiled/timing/path_config.h"
#include "accelerators/tiled/timing/path_event.h"
#include "timing/history.h"
#include "timing/queue.h"

namespace fansim::tiled {

// Computes when beats pass from the writer's buffer to the memory's port: through clock crossing, width converter and
// interconnect, each of which hands on a beat per edge through a stream of two entries. Every edge is computed as soon
// as the edges that it depends on are.
class WriteBeats {
 public:
  // `reach` says how far back sent() is asked.
  WriteBeats(const PathConfig& config, int reach)
      : config_(config), sent_(reach), written_(config.depth + 4), places_(config.depth + 4) {}

  // The writer sends a burst's beats behind `issued`.
  void send(int beats, timing::Edge issued) { to_send_.push({0, beats, issued}); }
  // The width converter took a burst at `taken`.
  void convert(int lane, int beats, timing::Edge taken) { to_gear_.push({lane, beats, taken + 1}); }
  // The interconnect granted a part with so many beats of the port at `granted`.
  void grant(int beats, timing::Edge granted) {
    to_pass_.push({0, beats, granted + 1});
    to_pop_.push({beats, beats, granted + 1});
  }
  // The memory takes the oldest part that it has not taken from `from` on.
  void take(timing::Edge from) {
    decided_ = to_pop_[taken_].from;
    to_pop_[taken_++].from = from;
  }
  // The memory decided behind this edge on the part that it took last; long ago if it took none.
  timing::Edge decided() const { return decided_; }

  // Computes every edge that can be computed now, and whether there was one. Tells of beats that the memory takes.
  bool flow(PathEvents& events);

  // The edges at which last beats of parts were popped.
  timing::Queue<timing::Edge>& written() { return whole_; }

  const timing::History& sent() const { return sent_; }
  timing::Edge last_popped() const { return at_.popped.last; }
  // No beat is popped before.
  timing::Edge next_popped() const;

  // sent() is asked for from beat `first` on, and for edges behind `floor`.
  template <class V>
  void visit(V& v, std::int64_t first, timing::Edge floor);

 private:
  struct Burst {
    int lane = 0;                          // of its next beat in one of the port
    int beats = 0;                         // to come at the stage that looks at it
    timing::Edge from = timing::kLongAgo;  // that stage may begin with it from here on
  };
  // A burst on the port that is to be popped.
  struct Part {
    int all = 0, beats = 0;                // its beats, and those to come
    timing::Edge from = timing::kLongAgo;  // the memory takes it from here on; before, when it was asked
  };
  // The edges of the last two items that passed a point, and how many passed.
  struct Passed : timing::Pops {
    std::int64_t count = 0;
    timing::Edge operator[](std::int64_t i) const { return i + 1 == count ? last : before; }
    void pass(timing::Edge edge) {
      add(edge);
      ++count;
    }
  };
  // The stages in the order in which beats pass them. From `handed` on they are beats of the port.
  struct Stages {
    Passed crossed, geared, handed, passed, popped;
    int to_hand_over = 0;  // beats of the port that are complete in the width converter
  };

  bool fill();
  bool drain(PathEvents& events);
  bool cross(Stages& at);
  bool gear(Stages& at);
  bool hand_over(Stages& at);
  bool pass(Stages& at);
  bool pop(Stages& at, PathEvents& events, bool& in_part);
  void tell(const Part& part, timing::Edge edge, bool follows, PathEvents& events) const;
  template <class V>
  void visit_drain(V& v);
  template <class V, class VisitFrom>
  static void visit_bursts(V& v, timing::Queue<Burst>& bursts, VisitFrom&& visit_from);

  PathConfig config_;
  timing::History sent_, written_;
  timing::History places_;  // of the clock crossing, by when they are free again
  Stages at_;
  timing::Queue<Burst> to_send_, to_gear_, to_pass_;
  timing::Queue<Part> to_pop_;
  std::size_t taken_ = 0;  // so many of those, the first, are taken
  timing::Edge decided_ = timing::kLongAgo;
  timing::Queue<timing::Edge> whole_;  // popped, and not asked for yet
};

}  // namespace fansim::tiled

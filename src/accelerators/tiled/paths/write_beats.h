// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "accelerators/tiled/paths/history.h"
#include "accelerators/tiled/paths/path_config.h"
#include "accelerators/tiled/paths/path_step.h"
#include "accelerators/tiled/paths/picture.h"
#include "timing/queue.h"

namespace fansim::tiled {

// Beats on their way from the writer's buffer to the memory's port: through clock crossing, width converter and
// interconnect, each of which hands on a beat per edge through a stream of two entries. What a burst's beats wait for
// is told as soon as it is known; every edge is computed as soon as those are that it depends on.
class WriteBeats {
 public:
  // `reach`: how far back sent() is asked.
  WriteBeats(const PathConfig& config, int reach)
      : config_(config), sent_(reach), written_(config.depth + 4), places_(config.depth + 4) {}

  // A burst whose beats the writer sends behind `issued`.
  void send(int beats, timing::Edge issued) { to_send_.push({0, beats, issued}); }
  // A burst that the width converter took at `taken`.
  void convert(int lane, int beats, timing::Edge taken) { to_gear_.push({lane, beats, taken + 1}); }
  // Beats of the port that the interconnect was granted at `granted`.
  void grant(int beats, timing::Edge granted) {
    to_pass_.push({0, beats, granted + 1});
    to_pop_.push({beats, beats, granted + 1});
  }
  // The oldest of those that was not is taken by the memory from `from` on.
  void take(timing::Edge from) {
    decided_ = to_pop_[taken_].from;
    to_pop_[taken_++].from = from;
  }
  // The memory has decided on the last one that was taken behind this edge; or long ago.
  timing::Edge decided() const { return decided_; }

  // All that can be known now; false: nothing new. Tells of beats that the memory takes.
  bool flow(PathSteps& tells);

  // The parts whose last beats were popped, by when.
  timing::Queue<timing::Edge>& written() { return whole_; }

  const History& sent() const { return sent_; }
  timing::Edge last_popped() const { return at_.popped.last; }
  // No beat is popped before.
  timing::Edge next_popped() const;

  // How far back and back to which edge sent() is asked.
  template <class Picture>
  void show(Picture& picture, std::int64_t first, timing::Edge floor);

 private:
  struct Burst {
    int lane = 0;                          // of its next beat in one of the port
    int beats = 0;                         // to come at the stage that looks at it
    timing::Edge from = timing::kLongAgo;  // from which that stage may begin with it
  };
  // Of a burst on the port, to be popped.
  struct Part {
    int all = 0, beats = 0;                // its beats, and those to come
    timing::Edge from = timing::kLongAgo;  // from which the memory takes it, or when it was asked
  };
  // The last two items that passed a point, and how many did.
  struct Passed : timing::Pops {
    std::int64_t count = 0;
    timing::Edge operator[](std::int64_t i) const { return i + 1 == count ? last : before; }
    void pass(timing::Edge edge) { add(edge), ++count; }
  };
  // In the order of the beats' way; of the port from `handed` on.
  struct Stages {
    Passed crossed, geared, handed, passed, popped;
    int to_hand_over = 0;  // beats of the port that are complete in the width converter
  };

  bool fill();
  bool drain(PathSteps& tells);
  bool cross(Stages& at);
  bool gear(Stages& at);
  bool hand_over(Stages& at);
  bool pass(Stages& at);
  bool pop(Stages& at, PathSteps& tells, bool& in_part);
  void tell(const Part& part, timing::Edge edge, bool follows, PathSteps& tells) const;
  template <class Picture>
  void show_drain(Picture& picture, std::int64_t ungeared);
  template <class Picture, class Show>
  static void show_bursts(Picture& picture, timing::Queue<Burst>& bursts, Show&& show_from);

  PathConfig config_;
  History sent_, written_;
  History places_;  // of the clock crossing: free again
  Stages at_;
  timing::Queue<Burst> to_send_, to_gear_, to_pass_;
  timing::Queue<Part> to_pop_;
  std::size_t taken_ = 0;  // the first ones of those
  timing::Edge decided_ = timing::kLongAgo;
  timing::Queue<timing::Edge> whole_;  // nobody has asked for them yet
};

}  // namespace fansim::tiled

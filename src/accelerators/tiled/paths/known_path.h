// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "accelerators/tiled/paths/path_book.h"
#include "accelerators/tiled/paths/picture.h"

namespace fansim::tiled {

// A path that is followed once: told in a state what it was told there before, with runs that matter as much or as
// little, it does the same again, so many common edges of the clocks later.
template <class Path>
class KnownPath {
 public:
  using Script = typename Path::Script;

  KnownPath(const TiledClocks& clocks, Path path, PathBook& book)
      : clocks_(clocks), path_(std::move(path)), book_(book), state_(book.open() ? picture() : PathBook::kNone) {}

  // `tell` is called with every step that the path tells.
  template <class Tell>
  void follow(const PathStep& told, Script& script, Tell&& tell) {
    const bool known = state_ != PathBook::kNone && again(told, script, tell);
    book_.count(known);
    if (known) return;
    const int before = state_;
    const timing::Edge meeting = meeting_;
    tells_.clear(), script.log().clear();
    now().follow(told, script, tells_);
    state_ = worth_a_picture() ? picture() : PathBook::kNone;
    if (before != PathBook::kNone && state_ != PathBook::kNone) add(before, meeting, told, script.log());
    for (const PathStep& step : tells_) tell(step);
  }

  // The path itself.
  Path& now() {
    if (behind_) {
      PutBackPicture put_back(clocks_, meeting_, book_[state_].picture);
      path_.show(put_back);
      behind_ = false;
    }
    return path_;
  }
  // It was changed.
  void forget() { state_ = PathBook::kNone; }

 private:
  template <class Tell>
  bool again(const PathStep& told, Script& script, Tell&& tell) {
    rest(told);
    const PathStep step = as_seen(told, state_, meeting_);
    if (!step.fits()) return false;
    const std::uint64_t seen = step.word();
    int newer = PathBook::kNone;
    for (int at = book_[state_].lines; at != PathBook::kNone; newer = at, at = book_.line(at).before) {
      const PathBook::Line& line = book_.line(at);
      if (line.told != seen || !script.again(line.log, line.logged)) continue;
      if (newer != PathBook::kNone) book_.put_first(state_, newer, at);
      const timing::Edge meeting = meeting_;
      state_ = line.next;
      meeting_ += line.later;
      behind_ = true;
      credit_ = std::min(credit_ + 1, kMostCredit);
      for (int i = 0; i < line.told_of; ++i) {
        PathStep told_of = PathStep::of(line.tells()[i]);
        told_of.edge += origin(told_of, meeting);
        tell(told_of);
      }
      return true;
    }
    return false;
  }

  void add(int before, timing::Edge meeting, const PathStep& told, const std::vector<std::uint64_t>& log) {
    const PathStep seen = as_seen(told, before, meeting);
    bool fit = seen.fits();
    words_.clear();
    for (PathStep step : tells_) {
      step.edge -= origin(step, meeting);
      fit = fit && step.fits();
      words_.push_back(step.word());
    }
    if (!fit) return;
    PathBook::Line line;
    line.told = seen.word();
    line.next = state_, line.later = static_cast<std::int32_t>(meeting_ - meeting);
    book_.add(before, line, log, words_);
  }

  // Pictures that are never met again are given up for a while: each costs what as many that are have brought.
  bool worth_a_picture() {
    if (!book_.open()) return false;
    if (credit_ < 0) {
      if (++credit_ < 0) return false;
      credit_ = kSome;
    }
    if ((credit_ -= kPicture) <= 0) credit_ = -kPause;
    return true;
  }

  // The state that the path is in.
  int picture() {
    meeting_ = path_.near() / clocks_.port_period();
    TakenPicture picture(clocks_, meeting_, picture_);
    path_.show(picture);
    PathBook::State state;
    state.port_floor = picture.count_port(path_.port_floor());
    state.last_port = picture.last_port(), state.last_fabric = picture.last_fabric();
    state.idle = path_.idle();
    return picture.whole() ? book_.find(state, picture_.data(), picture.words()) : PathBook::kNone;
  }

  // What was before a run that comes late enough is over.
  void rest(const PathStep& told) {
    const PathBook::State& state = book_[state_];
    if (!state.idle || state_ == PathBook::kFresh || told.on_port()) return;
    const timing::Edge fabric = told.edge - meeting_ * clocks_.fabric_period();
    const timing::Edge port = clocks_.to_port.floor(told.edge) - meeting_ * clocks_.port_period();
    if (fabric <= state.last_fabric || port <= state.last_port) return;
    state_ = PathBook::kFresh;
    meeting_ = told.edge / clocks_.fabric_period();
    behind_ = true;
  }

  timing::Edge origin(const PathStep& step, timing::Edge meeting) const {
    return meeting * (step.on_port() ? clocks_.port_period() : clocks_.fabric_period());
  }
  PathStep as_seen(PathStep step, int state, timing::Edge meeting) const {
    const PathBook::State& in = book_[state];
    step.edge -= origin(step, meeting);
    if (step.on_port()) step.edge = std::max<timing::Edge>(step.edge, in.port_floor);
    return step;
  }

  static constexpr int kPicture = 2, kSome = 256, kMostCredit = 8192, kPause = 128;

  const TiledClocks clocks_;
  Path path_;
  PathBook& book_;
  std::vector<PictureWord> picture_;
  PathSteps tells_;
  std::vector<std::uint64_t> words_;
  timing::Edge meeting_ = 0;  // the common edge that the state's picture counts from
  int state_;                 // in the book
  bool behind_ = false;       // path_ is not in it yet
  int credit_ = kSome;
};

}  // namespace fansim::tiled

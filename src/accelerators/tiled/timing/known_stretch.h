// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "accelerators/tiled/timing/path_book.h"
#include "accelerators/tiled/timing/picture.h"
#include "timing/memory.h"

namespace fansim::tiled {

// Stretches of a stream: some decisions of the memory, on its requests and on nobody else's, within a tile. One that
// begins as another did, with runs that matter as much or as little, is not followed.
template <class Stream, class Tiles>
class KnownStretch {
 public:
  KnownStretch(const TiledClocks& clocks, Stream& stream, Tiles& tiles, timing::Memory& memory, int port,
               PathBook& book)
      : clocks_(clocks), stream_(stream), tiles_(tiles), memory_(memory), port_(port), book_(book) {}

  // To be called after so many decisions of the memory, when all is told that is known. What is known is skipped.
  void look(std::int64_t decisions) {
    if (stream_.served() == looked_at_) return;
    looked_at_ = stream_.served();
    if (following_ && !ends(decisions)) return;
    if (state_ == PathBook::kNone) {
      if (pause_-- > 0) return;
      state_ = picture();
    }
    while (state_ != PathBook::kNone && again()) {
      while (again()) {
      }
      put_back();
      state_ = picture();  // refreshes may be near now
    }
    if (state_ == PathBook::kNone)
      pause_ = kPause;
    else
      begin(decisions);
  }

 private:
  static constexpr std::int64_t kDecisions = 8;  // of a stretch
  static constexpr timing::Edge kNear = 256;     // edges of the port: a refresh that is due so soon is in the picture
  static constexpr int kPause = 8;               // decisions

  // What a line tells: when the last decision was taken, beats asked for, runs pushed, whether the tile has more, and
  // how much later refreshes are due; then what was waited for.
  enum { kLast, kAsked, kPushed, kMore, kRefreshes, kWaits };
  static std::uint64_t word(std::int64_t number) { return static_cast<std::uint64_t>(number); }
  static std::int64_t number(std::uint64_t word) { return static_cast<std::int64_t>(word); }

  void begin(std::int64_t decisions) {
    following_ = true;
    served_ = stream_.served(), decisions_ = decisions, tokens_ = stream_.tokens(), tiles_begun_ = tiles_.begun();
    asked_ = stream_.asked(), pushed_ = stream_.pushed();
    const auto& waits = memory_.read_waits(port_).all();
    waits_ = waits.size();
    waited_ = waits.empty() ? timing::kLongAgo : waits.back().span.to;
    log_.clear();
    stream_.record(&log_);
  }

  // False: the stretch goes on. Else it stands in the book, or was none.
  bool ends(std::int64_t decisions) {
    const std::int64_t own = stream_.served() - served_;
    const bool stretch = decisions - decisions_ == own && stream_.tokens() == tokens_ && tiles_.begun() == tiles_begun_;
    if (stretch && own < kDecisions) return false;
    following_ = false;
    stream_.record(nullptr);
    const int from = state_;
    const timing::Edge meeting = meeting_, refresh = alone_.refresh;
    const bool near = near_;
    state_ = stretch ? picture() : PathBook::kNone;
    if (state_ == PathBook::kNone || alone_.decided > alone_.until || (!near && alone_.refresh != refresh)) return true;
    const timing::Edge origin = meeting * clocks_.port_period();
    words_ = {word(alone_.decided - origin), word(stream_.asked() - asked_), word(stream_.pushed() - pushed_),
              word(tiles_.more()), word(alone_.refresh - refresh)};
    add_waits(origin);
    PathBook::Line line;
    line.told = near;
    line.next = state_, line.later = static_cast<std::int32_t>(meeting_ - meeting);
    book_.add(from, line, log_, words_);
    return true;
  }

  // Those since the stretch began.
  void add_waits(timing::Edge origin) {
    const auto& waits = memory_.read_waits(port_).all();
    for (std::size_t i = waits_ == 0 ? 0 : waits_ - 1; i < waits.size(); ++i) {
      const timing::Span span{std::max(waits[i].span.from, waited_), waits[i].span.to};
      if (span.from >= span.to) continue;
      for (const std::int64_t n : {span.from - origin, span.to - origin, static_cast<std::int64_t>(waits[i].why)})
        words_.push_back(word(n));
    }
  }

  bool again() {
    const timing::Edge origin = meeting_ * clocks_.port_period();
    for (int at = book_[state_].lines; at != PathBook::kNone; at = book_.line(at).before) {
      const PathBook::Line& line = book_.line(at);
      const std::uint64_t* const words = book_.tells(line);
      const timing::Edge last = number(words[kLast]) + origin;
      const bool near = line.told != 0;
      if (last > alone_.until || (!near && last >= alone_.refresh)) continue;
      if (!has(number(words[kPushed]), words[kMore] != 0) || !stream_.again(book_.log(line), line.logged)) continue;
      stream_.skip(number(words[kPushed]), number(words[kAsked]));
      alone_.refresh += number(words[kRefreshes]);
      for (int i = kWaits; i < line.told_of; i += 3)
        memory_.add_wait(port_, {{number(words[i]) + origin, number(words[i + 1]) + origin},
                                 static_cast<rules::ReadWait>(words[i + 2])});
      state_ = line.next;
      meeting_ += line.later;
      return true;
    }
    return false;
  }

  // Whether the tile has so many more runs, and others behind them or none.
  bool has(std::int64_t runs, bool more) {
    while (stream_.announced() <= runs && tiles_.announce()) {
    }
    return stream_.announced() >= runs && (stream_.announced() > runs) == more;
  }

  // The state in which everything is that decides the stream's requests.
  int picture() {
    if (!stream_.known() || !memory_.alone(port_, stream_, alone_) || alone_.until <= alone_.edges.front())
      return PathBook::kNone;
    meeting_ = stream_.meeting();
    Picture picture(clocks_, meeting_, numbers_);
    show(picture);
    return picture.whole() ? book_.find({}, numbers_) : PathBook::kNone;
  }
  void put_back() {
    Picture picture(clocks_, meeting_, book_.picture(state_));
    show(picture);
    memory_.go_on(port_, stream_, alone_);
  }
  void show(Picture& picture) {
    stream_.show(picture, meeting_, tiles_.show(picture));
    if (picture.taken()) near_ = alone_.refresh - alone_.edges.front() < kNear;
    timing::Edge refresh = near_ ? alone_.refresh : timing::kLongAgo;
    picture.port(refresh);
    picture.list(alone_.edges, [&](timing::Edge& edge) { picture.port(edge); });
    picture.list(alone_.numbers, [&](int& number) { picture.number(number); });
  }

  const TiledClocks clocks_;
  Stream& stream_;
  Tiles& tiles_;
  timing::Memory& memory_;
  const int port_;
  PathBook& book_;

  timing::Memory::Alone alone_;
  int state_ = PathBook::kNone;
  timing::Edge meeting_ = 0;  // the common edge that the state's picture counts from
  bool near_ = false;         // a refresh is due soon
  int pause_ = 0;
  std::int64_t looked_at_ = 0;
  std::vector<std::int32_t> numbers_;

  // Of the stretch that is followed: how it began, and what was asked of the runs.
  bool following_ = false;
  std::int64_t served_ = 0, decisions_ = 0, tokens_ = 0, tiles_begun_ = 0, asked_ = 0, pushed_ = 0;
  std::size_t waits_ = 0;
  timing::Edge waited_ = 0;
  std::vector<std::uint64_t> log_, words_;
};

}  // namespace fansim::tiled

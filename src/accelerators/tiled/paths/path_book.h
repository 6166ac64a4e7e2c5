// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "accelerators/tiled/paths/path_step.h"
#include "accelerators/tiled/paths/picture.h"
#include "timing/edge.h"

namespace fansim::tiled {

// Words that are put down once and stay where they are.
template <class Word>
class Shelf {
 public:
  // Room for so many.
  Word* room(std::size_t count) {
    if (static_cast<std::size_t>(end_ - next_) < count) {
      const std::size_t board = std::max(kBytes / sizeof(Word), count);
      boards_.emplace_back(new Word[board]);
      next_ = boards_.back().get(), end_ = next_ + board;
    }
    return std::exchange(next_, next_ + count);
  }

 private:
  static constexpr std::size_t kBytes = 1 << 14;  // of a board

  std::vector<std::unique_ptr<Word[]>> boards_;
  Word *next_ = nullptr, *end_ = nullptr;
};

// What has been seen of paths that are configured alike: the states they were in, and what they did there. Everything
// is small, because all of it is looked at over and over: edges count from the common edge of the clocks that the
// state's picture counts from.
class PathBook {
 public:
  static constexpr int kNone = -1, kFresh = 0;  // no state; that of a path to which nothing has happened

  // In one that is not open nothing is known, ever.
  explicit PathBook(bool open = true) : open_(open) {}

  struct State {
    std::int32_t port_floor = 0;                  // what is told at an earlier edge of the port is as if told then
    std::int32_t last_port = 0, last_fabric = 0;  // no edge of the picture is later
    std::int32_t lines = kNone;                   // the one used last
    const PictureWord* picture = nullptr;
    std::uint32_t hash = 0;   // of the picture
    std::uint16_t words = 0;  // of it
    bool idle = false;        // no run is left
  };
  // What was told in a state, what the path asked of its runs and told then, and the state it came to.
  struct Line {
    std::uint64_t told = 0;
    const std::uint64_t* log = nullptr;
    std::uint16_t logged = 0, told_of = 0;
    std::int32_t next = kNone, later = 0;  // the next state counts from so many common edges later
    std::int32_t before = kNone;           // another line of the state, used earlier

    const std::uint64_t* tells() const { return log + logged; }
  };

  const State& operator[](int state) const { return states_[static_cast<std::size_t>(state)]; }
  const Line& line(int line) const { return lines_[static_cast<std::size_t>(line)]; }
  bool open() const { return open_; }
  // What has been put down, in states and lines.
  std::size_t size() const { return states_.size() + lines_.size(); }
  // It takes no more.
  bool full() const { return states_.size() == kMostStates || lines_.size() == kMostLines; }
  // How often a step of a path was known, and how often it had to be followed.
  std::int64_t known() const { return known_; }
  std::int64_t followed() const { return followed_; }
  void count(bool known) { ++(known ? known_ : followed_); }

  // The line of a state that is before `newer` is used.
  void put_first(int state, int newer, int line) {
    State& in = states_[static_cast<std::size_t>(state)];
    Line& used = lines_[static_cast<std::size_t>(line)];
    lines_[static_cast<std::size_t>(newer)].before = used.before;
    used.before = in.lines;
    in.lines = line;
  }
  // The state of a picture of so many words, a multiple of kPictureWords; kNone: it is new and the book full, or too
  // long.
  int find(State state, const PictureWord* picture, std::size_t words);
  // Nothing, if the book is full or the line too long for it.
  void add(int state, Line line, const std::vector<std::uint64_t>& log, const std::vector<std::uint64_t>& tells);

 private:
  std::int32_t& place(const State& state);
  void grow();

  static constexpr std::size_t kMostStates = 1 << 16, kMostLines = 1 << 18;

  bool open_;
  std::int64_t known_ = 0, followed_ = 0;
  std::vector<State> states_;
  std::vector<Line> lines_;
  Shelf<PictureWord> pictures_;
  Shelf<std::uint64_t> words_;
  std::vector<std::int32_t> by_hash_ = std::vector<std::int32_t>(1 << 10, kNone);  // states; twice as many or more
};

// Of a machine's paths.
struct PathBooks {
  explicit PathBooks(bool open = true) : inputs(open), weights(open), outputs(open) {}

  std::size_t size() const { return inputs.size() + weights.size() + outputs.size(); }
  bool full() const { return inputs.full() || weights.full() || outputs.full(); }

  PathBook inputs, weights, outputs;
};

}  // namespace fansim::tiled

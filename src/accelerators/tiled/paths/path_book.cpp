// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/paths/path_book.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace fansim::tiled {

namespace {

constexpr std::size_t kMostWords = std::numeric_limits<std::uint16_t>::max();

std::uint32_t hash_of(const PictureWord* words, std::size_t count) {
  constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15;
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < count; i += kPictureWords) {
    std::uint64_t next = 0;
    std::memcpy(&next, words + i, sizeof next);
    hash = ((hash << 5 | hash >> 59) ^ next) * kFactor;
  }
  return static_cast<std::uint32_t>(hash >> 32);
}

}  // namespace

static_assert(sizeof(PathBook::State) == 32 && sizeof(PathBook::Line) == 32);

int PathBook::find(State state, const PictureWord* picture, std::size_t words) {
  if (words > kMostWords) return kNone;
  state.picture = picture;
  state.words = static_cast<std::uint16_t>(words);
  state.hash = hash_of(picture, words);
  std::int32_t* known = &place(state);
  if (*known != kNone) return *known;
  if (states_.size() == kMostStates) return kNone;
  if (2 * states_.size() == by_hash_.size()) {
    grow();
    known = &place(state);
  }
  PictureWord* const put_down = pictures_.room(words);
  std::copy_n(picture, words, put_down);
  state.picture = put_down;
  states_.push_back(state);
  return *known = static_cast<std::int32_t>(states_.size()) - 1;
}

// Where a state stands, or would stand.
std::int32_t& PathBook::place(const State& state) {
  const std::size_t last = by_hash_.size() - 1;
  for (std::size_t at = (state.hash ^ state.hash >> 16) & last;; at = (at + 1) & last) {
    if (by_hash_[at] == kNone) return by_hash_[at];
    const State& other = (*this)[by_hash_[at]];
    if (other.hash == state.hash && other.words == state.words &&
        std::equal(state.picture, state.picture + state.words, other.picture))
      return by_hash_[at];
  }
}

void PathBook::grow() {
  by_hash_.assign(2 * by_hash_.size(), kNone);
  for (std::size_t i = 0; i < states_.size(); ++i) place(states_[i]) = static_cast<std::int32_t>(i);
}

void PathBook::add(int state, Line line, const std::vector<std::uint64_t>& log,
                   const std::vector<std::uint64_t>& tells) {
  if (lines_.size() == kMostLines || log.size() > kMostWords || tells.size() > kMostWords) return;
  std::uint64_t* const words = words_.room(log.size() + tells.size());
  std::copy(tells.begin(), tells.end(), std::copy(log.begin(), log.end(), words));
  line.log = words;
  line.logged = static_cast<std::uint16_t>(log.size()), line.told_of = static_cast<std::uint16_t>(tells.size());
  State& in = states_[static_cast<std::size_t>(state)];
  line.before = in.lines;
  in.lines = static_cast<std::int32_t>(lines_.size());
  lines_.push_back(line);
}

}  // namespace fansim::tiled

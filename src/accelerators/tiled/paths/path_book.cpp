// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/paths/path_book.h"

#include <algorithm>
#include <limits>

namespace fansim::tiled {

namespace {
std::uint32_t hash_of(const std::int32_t* numbers, std::size_t count) {
  std::uint32_t hash = 0, factor = 1;
  for (std::size_t i = 0; i < count; ++i) hash += static_cast<std::uint32_t>(numbers[i]) * (factor += 0x9E3779B6);
  return (hash ^ hash >> 15) * 0x85EBCA6B;
}
}  // namespace

int PathBook::find(State state, const std::int32_t* picture, std::size_t numbers) {
  state.picture = picture;
  state.numbers = numbers;
  state.hash = hash_of(picture, numbers);
  std::int32_t* known = &place(state);
  if (*known != kNone) return *known;
  if (states_.size() == kMostStates) return kNone;
  if (2 * states_.size() == by_hash_.size()) {
    grow();
    known = &place(state);
  }
  state.picture = pictures_.put(picture, numbers);
  states_.push_back(state);
  return *known = static_cast<std::int32_t>(states_.size()) - 1;
}

// Where a state stands, or would stand.
std::int32_t& PathBook::place(const State& state) {
  const std::size_t last = by_hash_.size() - 1;
  for (std::size_t at = (state.hash ^ state.hash >> 16) & last;; at = (at + 1) & last) {
    if (by_hash_[at] == kNone) return by_hash_[at];
    const State& other = (*this)[by_hash_[at]];
    if (other.hash == state.hash && other.numbers == state.numbers &&
        std::equal(state.picture, state.picture + state.numbers, other.picture))
      return by_hash_[at];
  }
}

void PathBook::grow() {
  by_hash_.assign(2 * by_hash_.size(), kNone);
  for (std::size_t i = 0; i < states_.size(); ++i) place(states_[i]) = static_cast<std::int32_t>(i);
}

void PathBook::add(int state, Line line, const std::vector<std::uint64_t>& log,
                   const std::vector<std::uint64_t>& tells) {
  constexpr std::size_t kMostWords = std::numeric_limits<std::uint16_t>::max();
  if (lines_.size() == kMostLines || log.size() > kMostWords || tells.size() > kMostWords) return;
  line.log = words_.put(log.data(), log.size()), line.logged = static_cast<std::uint16_t>(log.size());
  line.tells = words_.put(tells.data(), tells.size()), line.told_of = static_cast<std::uint16_t>(tells.size());
  State& in = states_[static_cast<std::size_t>(state)];
  line.before = in.lines;
  in.lines = static_cast<std::int32_t>(lines_.size());
  lines_.push_back(line);
}

}  // namespace fansim::tiled

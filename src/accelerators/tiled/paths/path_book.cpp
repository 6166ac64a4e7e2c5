// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/paths/path_book.h"

#include <algorithm>
#include <limits>
#include <string_view>

namespace fansim::tiled {

int PathBook::find(State state, const std::vector<std::int32_t>& picture) {
  const std::string_view bytes(reinterpret_cast<const char*>(picture.data()), picture.size() * sizeof picture[0]);
  const std::size_t hash = std::hash<std::string_view>()(bytes);
  const auto [begin, end] = by_hash_.equal_range(hash);
  for (auto known = begin; known != end; ++known) {
    const State& other = (*this)[known->second];
    if (other.numbers == picture.size() && std::equal(picture.begin(), picture.end(), other.picture))
      return known->second;
  }
  if (states_.size() == kMostStates) return kNone;
  state.picture = pictures_.put(picture);
  state.numbers = picture.size();
  states_.push_back(state);
  by_hash_.emplace(hash, static_cast<int>(states_.size()) - 1);
  return static_cast<int>(states_.size()) - 1;
}

void PathBook::add(int state, Line line, const std::vector<std::uint64_t>& log,
                   const std::vector<std::uint64_t>& tells) {
  constexpr std::size_t kMostWords = std::numeric_limits<std::uint16_t>::max();
  if (lines_.size() == kMostLines || log.size() > kMostWords || tells.size() > kMostWords) return;
  line.log = words_.put(log), line.logged = static_cast<std::uint16_t>(log.size());
  line.tells = words_.put(tells), line.told_of = static_cast<std::uint16_t>(tells.size());
  State& in = states_[static_cast<std::size_t>(state)];
  line.before = in.lines;
  in.lines = static_cast<std::int32_t>(lines_.size());
  lines_.push_back(line);
}

}  // namespace fansim::tiled

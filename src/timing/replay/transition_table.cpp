// SPDX-License-Identifier: Apache-2.0
#include "timing/replay/transition_table.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace fansim::timing {

namespace {

constexpr std::size_t kLongest = std::numeric_limits<std::uint16_t>::max();

std::uint32_t hash_of(const SnapshotByte* snapshot, std::size_t length) {
  constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15;
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < length; i += kSnapshotGrain) {
    std::uint64_t next = 0;
    std::memcpy(&next, snapshot + i, sizeof next);
    hash = ((hash << 5 | hash >> 59) ^ next) * kFactor;
  }
  return static_cast<std::uint32_t>(hash >> 32);
}

}  // namespace

static_assert(sizeof(TransitionTable::State) == 32 && sizeof(TransitionTable::Transition) == 32);

int TransitionTable::find(State state, const SnapshotByte* snapshot, std::size_t length) {
  if (length > kLongest) return kNone;
  state.snapshot = snapshot;
  state.length = static_cast<std::uint16_t>(length);
  state.hash = hash_of(snapshot, length);
  std::int32_t* found = &place(state);
  if (*found != kNone) return *found;
  if (states_.size() == kMostStates) return kNone;
  if (2 * states_.size() == by_hash_.size()) {
    grow();
    found = &place(state);
  }
  SnapshotByte* const kept = snapshots_.allocate(length);
  std::copy_n(snapshot, length, kept);
  state.snapshot = kept;
  states_.push_back(state);
  return *found = static_cast<std::int32_t>(states_.size()) - 1;
}

// Returns where a state is, or would be.
std::int32_t& TransitionTable::place(const State& state) {
  const std::size_t last = by_hash_.size() - 1;
  for (std::size_t at = (state.hash ^ state.hash >> 16) & last;; at = (at + 1) & last) {
    if (by_hash_[at] == kNone) return by_hash_[at];
    const State& other = (*this)[by_hash_[at]];
    if (other.hash == state.hash && other.length == state.length &&
        std::equal(state.snapshot, state.snapshot + state.length, other.snapshot))
      return by_hash_[at];
  }
}

void TransitionTable::grow() {
  by_hash_.assign(2 * by_hash_.size(), kNone);
  for (std::size_t i = 0; i < states_.size(); ++i) place(states_[i]) = static_cast<std::int32_t>(i);
}

void TransitionTable::add(int state, Transition transition, const std::vector<std::uint64_t>& trace,
                          const std::vector<std::uint64_t>& tells) {
  if (transitions_.size() == kMostTransitions || trace.size() > kLongest || tells.size() > kLongest) return;
  std::uint64_t* const words = words_.allocate(trace.size() + tells.size());
  std::copy(tells.begin(), tells.end(), std::copy(trace.begin(), trace.end(), words));
  transition.words = words;
  transition.trace_words = static_cast<std::uint16_t>(trace.size());
  transition.tells = static_cast<std::uint16_t>(tells.size());
  State& in = states_[static_cast<std::size_t>(state)];
  transition.before = in.transitions;
  in.transitions = static_cast<std::int32_t>(transitions_.size());
  transitions_.push_back(transition);
}

}  // namespace fansim::timing

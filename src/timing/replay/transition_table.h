// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "timing/replay/arena.h"
#include "timing/replay/snapshot.h"

namespace fansim::timing {

// Holds the states in which machines of one configuration were, and what they did there. All of it is small, because it
// is read again and again: edges count from the common edge from which the state's snapshot counts.
class TransitionTable {
 public:
  static constexpr int kNone = -1;  // no state, or no transition
  static constexpr int kFresh = 0;  // the state of a machine to which nothing has happened

  struct State {
    std::int32_t told_from = 0;                   // what is told at an earlier edge of the port counts as told at this
                                                  // one
    std::int32_t last_port = 0, last_fabric = 0;  // no edge of the snapshot is later
    std::int32_t transitions = kNone;             // the transition that was used last
    const SnapshotByte* snapshot = nullptr;
    std::uint32_t hash = 0;    // hash of the snapshot
    std::uint16_t length = 0;  // bytes of the snapshot
    bool idle = false;
  };
  // Holds what was told in a state, the trace of what the machine took in and what it told then, and the state after
  // that.
  struct Transition {
    std::uint64_t told = 0;
    const std::uint64_t* words = nullptr;  // the trace, then what it told
    std::uint16_t trace_words = 0, tells = 0;
    std::int32_t next = kNone, later = 0;  // the next state counts from so many common edges later
    std::int32_t before = kNone;           // another transition of the state, used earlier

    const std::uint64_t* trace() const { return words; }
    const std::uint64_t* tell() const { return words + trace_words; }
  };

  const State& operator[](int state) const { return states_[static_cast<std::size_t>(state)]; }
  const Transition& transition(int transition) const { return transitions_[static_cast<std::size_t>(transition)]; }
  // Returns how many states and transitions it holds.
  std::size_t size() const { return states_.size() + transitions_.size(); }
  // Returns whether it takes no more.
  bool full() const { return states_.size() == kMostStates || transitions_.size() == kMostTransitions; }
  // Return how many events machines were told, and how many of them were replayed.
  std::int64_t told() const { return told_; }
  std::int64_t replayed() const { return replayed_; }
  void count(bool replayed) {
    ++told_;
    replayed_ += replayed ? 1 : 0;
  }

  // Puts a transition of a state first. `newer` is the transition whose `before` it is.
  void put_first(int state, int newer, int transition) {
    State& in = states_[static_cast<std::size_t>(state)];
    Transition& used = transitions_[static_cast<std::size_t>(transition)];
    transitions_[static_cast<std::size_t>(newer)].before = used.before;
    used.before = in.transitions;
    in.transitions = transition;
  }
  // Returns the state of a snapshot, whose length is a multiple of kSnapshotGrain. Returns kNone if the snapshot is
  // new, and too long or the table full.
  int find(State state, const SnapshotByte* snapshot, std::size_t length);
  // Does nothing if the table is full or the transition too long.
  void add(int state, Transition transition, const std::vector<std::uint64_t>& trace,
           const std::vector<std::uint64_t>& tells);

 private:
  std::int32_t& place(const State& state);
  void grow();

  static constexpr std::size_t kMostStates = 1 << 16, kMostTransitions = 1 << 18;

  std::int64_t told_ = 0, replayed_ = 0;
  std::vector<State> states_;
  std::vector<Transition> transitions_;
  Arena<SnapshotByte> snapshots_;
  Arena<std::uint64_t> words_;
  std::vector<std::int32_t> by_hash_ = std::vector<std::int32_t>(1 << 10, kNone);  // at least half of it is kNone
};

}  // namespace fansim::timing

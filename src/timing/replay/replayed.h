// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "timing/replay/event_word.h"
#include "timing/replay/transition_table.h"
#include "timing/two_clocks.h"

namespace fansim::timing {

// A machine that replays what it did before. Told in a state what it was told there before, and taking in the same, it
// does the same again, so many common edges of the clocks later; only what is new is computed.
//
// A Machine has a state (`visit`), `Event`s with `what`, `beats`, `edge` and `clock()`, `Inputs` that it takes in, and
// `follow(event, inputs, events)`, which appends what it tells. A Trace says in words what a machine took in, in none
// if that was nothing: `take(inputs, words)` appends them, and the inputs forget what was taken; `again(inputs, words)`
// takes the same in if that is what comes next, or returns false.
template <class Machine, class Trace>
class Replayed {
 public:
  using Event = typename Machine::Event;
  using Inputs = typename Machine::Inputs;

  Replayed(const TwoClocks& clocks, Machine machine, TransitionTable& table)
      : clocks_(clocks),
        common_{clocks.fabric_period(), clocks.port_period()},
        machine_(std::move(machine)),
        table_(table),
        state_(find_state()) {}

  // Calls `hear` with every event that the machine tells.
  template <class Hear>
  void follow(const Event& told, Inputs& inputs, Hear&& hear) {
    const bool replayed = state_ != TransitionTable::kNone && replay(told, inputs, hear);
    table_.count(replayed);
    if (replayed) return;
    compute(told, inputs);
    for (const Event& event : events_) hear(event);
  }

  // The machine in its present state.
  Machine& machine() {
    if (behind_) {
      SnapshotReader reader(common_, common_edge_, table_[state_].snapshot);
      machine_.visit(reader);
      behind_ = false;
    }
    return machine_;
  }
  // Somebody else has changed its state.
  void changed() { state_ = TransitionTable::kNone; }

 private:
  template <class Hear>
  bool replay(const Event& told, Inputs& inputs, Hear&& hear) {
    rest(told);
    const Event event = as_seen(told, state_, common_edge_);
    if (!fits_word(event)) return false;
    const std::uint64_t word = word_of(event);
    int newer = TransitionTable::kNone;
    for (int at = table_[state_].transitions; at != TransitionTable::kNone;
         newer = at, at = table_.transition(at).before) {
      const TransitionTable::Transition& transition = table_.transition(at);
      if (transition.told != word) continue;
      if (transition.trace_words > 0 && !Trace::again(inputs, transition.trace())) continue;
      if (newer != TransitionTable::kNone) table_.put_first(state_, newer, at);
      const Edge common_edge = common_edge_;
      state_ = transition.next;
      common_edge_ += transition.later;
      behind_ = true;
      credit_ = std::min(credit_ + 1, kMostCredit);
      for (int i = 0; i < transition.tells; ++i) {
        Event tells = event_of<Event>(transition.tell()[i]);
        tells.edge += origin(tells, common_edge);
        hear(tells);
      }
      return true;
    }
    return false;
  }

  void compute(const Event& told, Inputs& inputs) {
    const int before = state_;
    const Edge common_edge = common_edge_;
    events_.clear();
    machine().follow(told, inputs, events_);
    trace_.clear();
    Trace::take(inputs, trace_);
    state_ = worth_a_snapshot() ? find_state() : TransitionTable::kNone;
    if (before == TransitionTable::kNone || state_ == TransitionTable::kNone) return;
    const Event event = as_seen(told, before, common_edge);
    bool fit = fits_word(event);
    tells_.clear();
    for (Event tells : events_) {
      tells.edge -= origin(tells, common_edge);
      fit = fit && fits_word(tells);
      tells_.push_back(word_of(tells));
    }
    if (!fit) return;
    TransitionTable::Transition transition;
    transition.told = word_of(event);
    transition.next = state_;
    transition.later = static_cast<std::int32_t>(common_edge_ - common_edge);
    table_.add(before, transition, trace_, tells_);
  }

  // Snapshots of states that never come again are given up for a while: each costs what as many replays have brought.
  bool worth_a_snapshot() {
    if (credit_ < 0) {
      if (++credit_ < 0) return false;
      credit_ = kFirstCredit;
    }
    if ((credit_ -= kSnapshotCost) <= 0) credit_ = -kPause;
    return true;
  }

  int find_state() {
    SnapshotWriter writer(common_, buffer_);
    machine_.visit(writer);
    common_edge_ = writer.common_edge();
    TransitionTable::State state;
    state.told_from = writer.told_from();
    state.last_port = writer.last(Clock::port);
    state.last_fabric = writer.last(Clock::fabric);
    state.idle = writer.idle();
    return writer.fits() ? table_.find(state, buffer_.data(), writer.finish()) : TransitionTable::kNone;
  }

  // An idle machine that is told something of the fabric late enough is as it was made.
  void rest(const Event& told) {
    const TransitionTable::State& state = table_[state_];
    if (!state.idle || state_ == TransitionTable::kFresh || told.clock() == Clock::port) return;
    const Edge fabric = told.edge - common_edge_ * common_.fabric;
    const Edge port = clocks_.to_port.floor(told.edge) - common_edge_ * common_.port;
    if (fabric <= state.last_fabric || port <= state.last_port) return;
    state_ = TransitionTable::kFresh;
    common_edge_ = told.edge / common_.fabric;
    behind_ = true;
  }

  Edge origin(const Event& event, Edge common_edge) const { return common_edge * common_.of(event.clock()); }
  Event as_seen(Event event, int state, Edge common_edge) const {
    event.edge -= origin(event, common_edge);
    if (event.clock() == Clock::port) event.edge = std::max<Edge>(event.edge, table_[state].told_from);
    return event;
  }

  static constexpr int kSnapshotCost = 2, kFirstCredit = 256, kMostCredit = 8192, kPause = 128;

  const TwoClocks clocks_;
  const CommonEdges common_;
  Machine machine_;
  TransitionTable& table_;
  std::vector<SnapshotByte> buffer_;
  std::vector<Event> events_;  // that the machine told last
  std::vector<std::uint64_t> trace_, tells_;
  Edge common_edge_ = 0;  // the state's snapshot counts from it
  int state_;             // in the table
  bool behind_ = false;   // machine_ is not in it yet
  int credit_ = kFirstCredit;
};

}  // namespace fansim::timing

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/random.h"
#include "timing/edge.h"
#include "timing/history.h"
#include "timing/queue.h"

namespace fansim::replay_test {

using timing::Clock;
using timing::Edge;

// A bit of everything that a machine may have in its state, of one clock.
struct ToyState {
  Edge begun = 0, floored = timing::kLongAgo, never = timing::kLongAgo;
  int mode = 0;
  std::int64_t sent = 0, asked = 0;  // items; no more are sent than asked for
  timing::History sent_at{8};
  timing::Queue<Edge> waiting;

  template <class V>
  void visit(V& v) {
    v.origin(begun);
    v.edge(begun);
    v.edge(floored, begun);
    v.edge(never);
    v.number(mode);
    v.counter(sent);
    v.count(asked);
    v.history(sent_at, sent - 4, sent, begun - 100);
    v.queue(waiting, [&](Edge& edge) { v.edge(edge); });
  }
  // Its next item.
  void send(Edge edge) {
    sent_at.add(edge);
    ++sent;
  }
};

inline ToyState random_state(base::Random& random, Edge begun, std::int64_t sent) {
  ToyState state;
  state.begun = begun;
  state.floored = begun + random.uniform(-3, 3);
  state.mode = random.uniform(0, 3);
  state.sent_at.restart(sent);
  state.sent = sent;
  Edge edge = begun - 20;
  for (int i = random.uniform(0, 12); i > 0; --i) state.send(edge += random.uniform(1, 5));
  state.asked = state.sent + random.uniform(0, 4);
  for (int i = random.uniform(0, 20); i > 0; --i) state.waiting.push(edge += random.uniform(0, 2));
  return state;
}

}  // namespace fansim::replay_test

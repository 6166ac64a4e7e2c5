// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fansim::timing {

// Rising edges of the fabric clock since the layer's start.
using Edge = std::int64_t;

constexpr Edge kNever = INT64_MAX / 4;
constexpr Edge kLongAgo = -kNever;
constexpr bool long_ago(Edge edge) { return edge < kLongAgo / 2; }

// The clocks of a machine: that of its fabric, and that of the memory's port where it is another one.
enum class Clock : std::uint8_t { fabric, port };

// Edges [from, to).
struct Span {
  Edge from = 0;
  Edge to = 0;
};

// The last two edges at which a stream was popped: the room for the next pushes, since a stream has two entries.
struct Pops {
  Edge before = kLongAgo;
  Edge last = kLongAgo;

  void add(Edge edge) {
    before = last;
    last = edge;
  }
  // The first edge at which the next item may be pushed.
  Edge room() const { return before + 1; }
  template <class State>
  void visit(State& state) {
    state.edge(before);
    state.edge(last);
  }
};

}  // namespace fansim::timing

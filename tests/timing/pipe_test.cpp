// SPDX-License-Identifier: Apache-2.0
#include "timing/pipe.h"

#include <array>
#include <catch2/catch.hpp>
#include <deque>

#include "base/random.h"
#include "timing/replay/shift.h"

namespace fansim::pipe_test {

using timing::Edge;
using timing::Pipe;

namespace {

struct Item {
  Edge entered;
  Edge left;
};

// Steps the block edge by edge: output first, then every stage moves on, then the next item enters.
std::vector<Item> stepped(int latency, const std::vector<Edge>& offered, const std::vector<Edge>& room) {
  std::vector<Item> items;
  std::deque<int> stages(static_cast<std::size_t>(latency), -1);  // the front leaves
  std::size_t left = 0;
  for (Edge edge = 0; left < offered.size(); ++edge) {
    const int out = stages.front();
    if (out >= 0) {
      if (edge < room[static_cast<std::size_t>(out)]) continue;
      items[static_cast<std::size_t>(out)].left = edge;
      ++left;
    }
    stages.pop_front();
    const std::size_t next = items.size();
    const bool enters = next < offered.size() && offered[next] <= edge;
    stages.push_back(enters ? static_cast<int>(next) : -1);
    if (enters) items.push_back({edge, 0});
  }
  return items;
}

}  // namespace

TEST_CASE("a pipe's recurrence is that of its stages under random arrivals and room") {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    base::Random random(seed);
    const int latency = random.uniform(1, 10);
    CAPTURE(latency);
    std::vector<Edge> offered, room;
    Edge arrival = 0, free = 0;
    for (int i = 0; i < 60; ++i) {
      offered.push_back(arrival += random.chance(60) ? 0 : random.uniform(0, 6));
      room.push_back(free = std::max(free, arrival) + (random.chance(50) ? 1 : random.uniform(1, 15)));
    }
    const std::vector<Item> expected = stepped(latency, offered, room);
    Pipe pipe(latency);
    for (std::size_t i = 0; i < offered.size(); ++i) {
      CAPTURE(i);
      REQUIRE(pipe.enter(offered[i]) == expected[i].entered);
      REQUIRE(pipe.leave(room[i]) == expected[i].left);
    }
  }
}

TEST_CASE("what a pipe holds is told in order and clipped") {
  Pipe pipe(2);
  pipe.enter(10);
  CHECK(pipe.leave(15) == 15);  // held 12 .. 14
  pipe.enter(11);
  CHECK(pipe.leave(18) == 18);  // held 16, 17
  std::vector<std::pair<Edge, Edge>> holds;
  pipe.for_each_hold(13, 17, [&](Edge from, Edge to) { holds.emplace_back(from, to); });
  CHECK(holds == std::vector<std::pair<Edge, Edge>>{{13, 15}, {16, 17}});
  CHECK(pipe.moving(12) == 15);
  CHECK(pipe.moving(16) == 18);
}

TEST_CASE("a pipe moved in time is the same pipe until something else enters") {
  // All that decides what a pipe does from `origin` on.
  const auto state = [](Pipe& pipe, Edge origin) {
    std::array<std::int64_t, 32> numbers{};
    timing::PeriodWriter writer(numbers.data(), numbers.size());
    writer.origin(origin);
    pipe.visit(writer);
    return numbers;
  };
  Pipe pipe(3);
  pipe.enter(10);
  pipe.leave(20);
  Pipe later = pipe;
  timing::shift(later, 7);
  CHECK(state(pipe, 10) == state(later, 17));
  CHECK_FALSE(state(pipe, 10) == state(later, 16));
  later.enter(30);
  CHECK_FALSE(state(pipe, 10) == state(later, 17));
}

}  // namespace fansim::pipe_test

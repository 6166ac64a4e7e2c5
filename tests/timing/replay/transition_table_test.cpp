// SPDX-License-Identifier: Apache-2.0
#include "timing/replay/transition_table.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <vector>

#include "base/random.h"
#include "timing/edge.h"
#include "timing/replay/event_word.h"

namespace fansim::transition_table_test {

using timing::SnapshotByte;
using timing::TransitionTable;

namespace {

std::vector<std::uint64_t> told_in(const TransitionTable& table, int state) {
  std::vector<std::uint64_t> told;
  for (int at = table[state].transitions; at != TransitionTable::kNone; at = table.transition(at).before)
    told.push_back(table.transition(at).told);
  return told;
}

}  // namespace

TEST_CASE("a table finds every snapshot again") {
  TransitionTable table;
  base::Random random(8);
  std::vector<std::vector<SnapshotByte>> snapshots;
  for (int i = 0; i < 3000; ++i) {
    std::vector<SnapshotByte> snapshot{static_cast<SnapshotByte>(i), static_cast<SnapshotByte>(i >> 8)};
    snapshot.resize(timing::kSnapshotGrain * static_cast<std::size_t>(random.uniform(1, 11)));
    for (std::size_t n = 2; n < snapshot.size(); ++n) snapshot[n] = static_cast<SnapshotByte>(random.uniform(-3, 3));
    snapshots.push_back(snapshot);
    REQUIRE(table.find({}, snapshot.data(), snapshot.size()) == i);
  }
  for (int i = 0; i < 3000; ++i) {
    const std::vector<SnapshotByte>& snapshot = snapshots[static_cast<std::size_t>(i)];
    REQUIRE(table.find({}, snapshot.data(), snapshot.size()) == i);
  }
}

TEST_CASE("a state has its newest transition first and any other once it is put there") {
  TransitionTable table;
  const std::vector<SnapshotByte> snapshot(timing::kSnapshotGrain);
  const int state = table.find({}, snapshot.data(), snapshot.size());
  for (std::uint64_t told = 0; told < 3; ++told) {
    TransitionTable::Transition transition;
    transition.told = told;
    table.add(state, transition, {10 + told}, {20 + told, 30 + told});
  }
  CHECK(told_in(table, state) == std::vector<std::uint64_t>{2, 1, 0});
  table.put_first(state, 1, 0);
  CHECK(told_in(table, state) == std::vector<std::uint64_t>{0, 2, 1});
  table.put_first(state, 0, 2);
  CHECK(told_in(table, state) == std::vector<std::uint64_t>{2, 0, 1});
  const TransitionTable::Transition& first = table.transition(1);
  CHECK(first.trace_words == 1);
  CHECK(first.trace()[0] == 11);
  CHECK(first.tells == 2);
  CHECK(first.tell()[1] == 31);
}

TEST_CASE("a full table finds the states that it has and takes no other") {
  TransitionTable table;
  CHECK(table.size() == 0);
  const auto find = [&table](std::int32_t first) {
    SnapshotByte snapshot[timing::kSnapshotGrain] = {};
    std::memcpy(snapshot, &first, sizeof first);
    return table.find({}, snapshot, std::size(snapshot));
  };
  int states = 0;
  while (!table.full()) {
    REQUIRE(find(states) == states);
    ++states;
  }
  CHECK(states > 1000);
  CHECK(table.size() == static_cast<std::size_t>(states));
  CHECK(find(states) == TransitionTable::kNone);
  CHECK(find(5) == 5);
  table.add(5, {}, {1, 2}, {3});
  CHECK(table.size() == static_cast<std::size_t>(states) + 1);
}

TEST_CASE("a table takes no snapshot and no transition that is too long for it") {
  TransitionTable table;
  const std::vector<SnapshotByte> longest(65'528, 1), longer(65'536, 1);
  CHECK(table.find({}, longest.data(), longest.size()) == 0);
  CHECK(table.find({}, longest.data(), longest.size()) == 0);
  CHECK(table.find({}, longer.data(), longer.size()) == TransitionTable::kNone);
  CHECK(table.size() == 1);
  const std::vector<std::uint64_t> most(65'535, 1), more(65'536, 1);
  table.add(0, {}, most, most);
  CHECK(table.size() == 2);
  CHECK(table.transition(0).tell() == table.transition(0).trace() + most.size());
  table.add(0, {}, more, {});
  table.add(0, {}, {}, more);
  CHECK(table.size() == 2);
}

TEST_CASE("an event comes back from its word unless its edge does not fit") {
  enum class What : std::uint8_t { one, other };
  struct Event {
    What what = What::one;
    int beats = 0;
    timing::Edge edge = 0;
  };
  for (const timing::Edge edge : {0, 1, -1, 2147483647, -2147483647}) {
    const Event event{What::other, 0xFFFFFF, edge};
    REQUIRE(timing::fits_word(event));
    const auto back = timing::event_of<Event>(timing::word_of(event));
    CHECK(back.what == What::other);
    CHECK(back.beats == 0xFFFFFF);
    CHECK(back.edge == edge);
  }
  CHECK_FALSE(timing::fits_word(Event{What::one, 0, timing::Edge{1} << 31}));
}

}  // namespace fansim::transition_table_test

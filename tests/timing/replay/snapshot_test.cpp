// SPDX-License-Identifier: Apache-2.0
#include "timing/replay/snapshot.h"

#include <catch2/catch.hpp>
#include <vector>

#include "base/random.h"
#include "toy_state.h"

namespace fansim::snapshot_test {

using replay_test::ToyState;
using timing::Clock;
using timing::CommonEdges;
using timing::Edge;
using timing::SnapshotByte;
using timing::SnapshotReader;
using timing::SnapshotWriter;

namespace {

constexpr CommonEdges kTwoClocks{3, 10}, kOneClock;

// A state of two clocks.
struct TwoClockState {
  Edge now = 0;  // of the port
  std::int64_t number = 0;
  int small = 0;
  bool yes = false;
  Edge port = 0, fabric = 0;
  timing::History passed{8};
  timing::Queue<Edge> waiting;

  template <class V>
  void visit(V& v) {
    v.origin(Clock::port, now);
    v.number(number);
    v.number(small);
    v.number(yes);
    v.edge(Clock::port, port);
    v.edge(fabric);
    std::int64_t passed_by = passed.count();
    v.counter(passed_by);
    v.history(Clock::port, passed, passed_by - 8, passed_by, timing::kLongAgo);
    v.queue(waiting, [&](Edge& edge) { v.edge(edge); });
  }
};

template <class State>
std::vector<SnapshotByte> snapshot(State& state, const CommonEdges& common) {
  std::vector<SnapshotByte> buffer;
  SnapshotWriter writer(common, buffer);
  state.visit(writer);
  REQUIRE(writer.fits());
  buffer.resize(writer.finish());
  CHECK(buffer.size() % timing::kSnapshotGrain == 0);
  return buffer;
}

template <class State>
void restore(State& state, const CommonEdges& common, Edge common_edge, const std::vector<SnapshotByte>& from) {
  SnapshotReader reader(common, common_edge, from.data());
  state.visit(reader);
}

void check_same(const TwoClockState& one, const TwoClockState& other) {
  CHECK(one.number == other.number);
  CHECK(one.small == other.small);
  CHECK(one.yes == other.yes);
  CHECK(one.port == other.port);
  CHECK(one.fabric == other.fabric);
  for (std::int64_t i = 1; i <= 8; ++i)
    CHECK(one.passed[one.passed.count() - i] == other.passed[other.passed.count() - i]);
  REQUIRE(one.waiting.size() == other.waiting.size());
  for (std::size_t i = 0; i < one.waiting.size(); ++i) CHECK(one.waiting[i] == other.waiting[i]);
}

}  // namespace

TEST_CASE("a restored state is the one that the snapshot was taken of however large its numbers are") {
  const std::uint64_t seed = 20261127;
  INFO("seed " << seed);
  base::Random random(seed);
  // Around what takes one byte or three or five.
  const std::vector<int> far = {0,      1,      -1,     126,    127,   128,   -124,   -125,   -126,
                                -127,   -128,   -129,   255,    256,   -256,  32766,  32767,  32768,
                                -32766, -32767, -32768, -32769, 65535, 65536, -65536, 1 << 29};
  const auto pick = [&] { return far[static_cast<std::size_t>(random.uniform(0, static_cast<int>(far.size()) - 1))]; };
  for (int round = 0; round < 500; ++round) {
    const Edge common_edge = random.uniform(0, 1'000'000);
    const Edge port = common_edge * kTwoClocks.port, fabric = common_edge * kTwoClocks.fabric;
    TwoClockState state;
    state.now = port + random.uniform(0, static_cast<int>(kTwoClocks.port) - 1);
    state.number = pick();
    state.small = pick();
    state.yes = random.uniform(0, 1) == 1;
    state.port = random.uniform(0, 9) == 0 ? timing::kLongAgo : port + pick();
    state.fabric = fabric + pick();
    Edge edge = port + pick();
    for (int i = random.uniform(0, 12); i > 0; --i) state.passed.add(edge += random.uniform(0, 9) == 0 ? 40'000 : 1);
    for (int i = random.uniform(0, 40); i > 0; --i) state.waiting.push(fabric + pick());

    const std::vector<SnapshotByte> taken = snapshot(state, kTwoClocks);
    TwoClockState restored;
    restore(restored, kTwoClocks, common_edge, taken);
    check_same(restored, state);

    // The same state later has the same snapshot.
    restored.now = state.now + 7 * kTwoClocks.port;
    restore(restored, kTwoClocks, common_edge + 7, taken);
    CHECK(restored.fabric == state.fabric + 7 * kTwoClocks.fabric);
    CHECK(snapshot(restored, kTwoClocks) == taken);
  }
}

TEST_CASE("a state of one clock has the same snapshot at any edge and after any count") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    INFO("seed " << seed);
    base::Random now(seed), later(seed);
    ToyState state = replay_test::random_state(now, 100, 0), same = replay_test::random_state(later, 12345, 678);
    const std::vector<SnapshotByte> taken = snapshot(state, kOneClock);
    CHECK(snapshot(same, kOneClock) == taken);
    ToyState restored;
    restored.sent = 40;
    restore(restored, kOneClock, 5000, taken);
    CHECK(restored.begun == 5000);
    CHECK(restored.never == timing::kLongAgo);
    CHECK(restored.sent == 40);
    CHECK(restored.asked - 40 == state.asked - state.sent);
    restored.mode = state.mode + 1;
    CHECK(snapshot(restored, kOneClock) != taken);
  }
}

TEST_CASE("an edge that is no later than its floor is as good as long ago") {
  ToyState state;
  state.begun = 50;
  state.floored = 50;
  const std::vector<SnapshotByte> taken = snapshot(state, kOneClock);
  state.floored = 3;
  CHECK(snapshot(state, kOneClock) == taken);
  state.floored = timing::kLongAgo;
  CHECK(snapshot(state, kOneClock) == taken);
  state.floored = 51;
  CHECK(snapshot(state, kOneClock) != taken);
  restore(state, kOneClock, 50, taken);
  CHECK(state.floored == timing::kLongAgo);
}

TEST_CASE("a snapshot knows its latest edges") {
  TwoClockState state;
  state.now = 25;
  state.port = 31;
  state.fabric = 6;
  state.passed.add(33);
  std::vector<SnapshotByte> buffer;
  SnapshotWriter writer(kTwoClocks, buffer);
  state.visit(writer);
  CHECK(writer.common_edge() == 2);
  CHECK(writer.last(Clock::port) == 13);
  CHECK(writer.last(Clock::fabric) == 0);
  writer.told_from(41);
  CHECK(writer.told_from() == 21);
}

TEST_CASE("numbers of more than 31 bits do not fit a snapshot") {
  std::vector<SnapshotByte> buffer;
  SnapshotWriter writer(kTwoClocks, buffer);
  writer.edge(Clock::port, 1 << 29);
  CHECK(writer.fits());
  writer.edge(Clock::port, Edge{1} << 31);
  CHECK_FALSE(writer.fits());
}

}  // namespace fansim::snapshot_test

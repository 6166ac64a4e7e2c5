// SPDX-License-Identifier: Apache-2.0
#include "timing/replay/period.h"

#include <catch2/catch.hpp>
#include <utility>
#include <vector>

#include "toy_state.h"

namespace fansim::period_test {

using replay_test::ToyState;
using timing::Edge;

namespace {

// Sends an item and asks for another: a machine that repeats itself as soon as its past does.
void turn(ToyState& state) {
  state.send(std::max(state.sent_at.last() + 7, state.sent_at[state.sent - 3] + 20));
  ++state.asked;
  state.begun = state.sent_at.last() + 1;
  state.floored = state.begun - state.sent % 5;  // before its floor, so nobody minds
  state.waiting.push(state.begun + 3);
  state.waiting.pop();
}

ToyState started() {
  ToyState state;
  state.send(5);
  state.send(6);
  state.asked = 4;
  state.waiting.push(9);
  state.waiting.push(11);
  return state;
}

// All that can be asked of a state.
std::vector<Edge> told(const ToyState& state) {
  std::vector<Edge> all{state.begun, state.mode, state.sent, state.asked, state.never};
  for (std::int64_t i = 1; i <= 4; ++i) all.push_back(state.sent_at[state.sent - i]);
  for (std::size_t i = 0; i < state.waiting.size(); ++i) all.push_back(state.waiting[i]);
  return all;
}

}  // namespace

TEST_CASE("a machine that repeats itself is found out and is then as far on as if it had gone on") {
  ToyState state = started(), followed = started();
  timing::Period<32> period;
  int turns = 0;
  while (!period.look(state)) {
    turn(state);
    turn(followed);
    REQUIRE(++turns < 20);
  }
  CHECK(turns > 3);
  CHECK(period.edges() == 7);
  for (const std::int64_t times : {1, 2, 13, 1000}) {
    period.skip(state, times);
    for (std::int64_t i = 0; i < times; ++i) turn(followed);
    REQUIRE(told(state) == told(followed));
    turn(state);
    turn(followed);
    REQUIRE(told(state) == told(followed));
    CHECK(period.look(state));
  }
}

TEST_CASE("no period is found where a number or edge changes or a look is forgotten") {
  ToyState state = started();
  timing::Period<32> period;
  for (int i = 0; i < 10; ++i) turn(state);
  const auto look_again = [&] {
    turn(state);
    return period.look(state);
  };
  CHECK_FALSE(look_again());
  CHECK(look_again());
  state.mode = 1;
  CHECK_FALSE(look_again());
  CHECK(look_again());
  state.waiting.back() += 1;
  CHECK_FALSE(look_again());
  CHECK_FALSE(look_again());
  CHECK(look_again());
  ++state.asked;  // counts from a counter
  CHECK_FALSE(look_again());
  CHECK(look_again());
  period.forget();
  CHECK_FALSE(look_again());
  CHECK(look_again());
}

TEST_CASE("a machine at the same edge again has no period") {
  ToyState state = started();
  timing::Period<32> period;
  CHECK_FALSE(period.look(state));
  CHECK_FALSE(period.look(state));
}

TEST_CASE("a state that does not fit never repeats itself") {
  ToyState state = started();
  for (int i = 0; i < 10; ++i) turn(state);
  timing::Period<8> small;
  for (int i = 0; i < 4; ++i) {
    CHECK_FALSE(small.look(state));
    turn(state);
  }
}

}  // namespace fansim::period_test

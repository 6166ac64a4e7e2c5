// SPDX-License-Identifier: Apache-2.0
#include "rules/fixed_ddr.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "base/random.h"
#include "rules/burst.h"

namespace fansim::fixed_ddr_test {

using rules::Direction;
using rules::ReadWait;

namespace {

contract::DdrConfig config() {
  contract::DdrConfig c;
  c.read_latency = 40;
  c.turnaround = 8;
  c.refresh_interval = 1000;
  c.refresh_cycles = 88;
  return c;
}

rules::FixedDdrState fresh(const contract::DdrConfig& c) {
  rules::FixedDdrState state;
  rules::quiesce(state, c, 0);
  return state;
}

}  // namespace

TEST_CASE("a request is granted at the first edge after its arrival") {
  const contract::DdrConfig c = config();
  rules::FixedDdrState state = fresh(c);
  const rules::Requests heads{{10, 16}, {}};
  CHECK(pick(state, c, heads, 10).direction == Direction::none);
  const rules::Pick granted = pick(state, c, heads, 11);
  CHECK(granted.direction == Direction::read);
  CHECK(granted.start == 11);
  CHECK(granted.data == 51);
  CHECK(state[0].bus_free == 27);
}

TEST_CASE("reads follow each other without a gap and read and write take turns with a turnaround") {
  const contract::DdrConfig c = config();
  rules::FixedDdrState state = fresh(c);
  const rules::Requests both{{1, 16}, {1, 4}};
  CHECK(pick(state, c, both, 2).direction == Direction::read);  // bus 2..17
  CHECK(pick(state, c, both, 17).direction == Direction::none);
  const rules::Pick write = pick(state, c, both, 18);
  CHECK(write.direction == Direction::write);
  CHECK(write.start == 26);
  CHECK(write.data == 26);
  CHECK(why(state, both.read, 18) == ReadWait::turnaround);
  CHECK(why(state, both.read, 26) == ReadWait::arbitration);
  CHECK(why(state, both.read, 29) == ReadWait::arbitration);
  const rules::Pick read = pick(state, c, both, 30);
  CHECK(read.direction == Direction::read);
  CHECK(read.start == 38);
  CHECK(read.data == 78);
  const rules::Pick again = pick(state, c, {{1, 16}, {}}, 54);
  CHECK(again.start == 54);
  CHECK(state.turnarounds == 2);
}

TEST_CASE("others have their part of a lane before each burst to the edge") {
  contract::DdrConfig c = config();
  c.share = 0.3;
  rules::FixedDdrState state(1, rules::pace_of(c, 128));
  rules::quiesce(state, c, 0);
  const rules::Pick first = pick(state, c, {{9, 4}, {}}, 10);  // 4 x 7 / 3 = 9 1/3
  CHECK(first.others == 10);
  CHECK(first.start == 19);
  CHECK(first.data == 59);
  CHECK(state[0].bus_free == 23);
  const rules::Pick second = pick(state, c, {{9, 4}, {}}, 23);
  CHECK(second.start == 32);
  const rules::Pick third = pick(state, c, {{9, 4}, {}}, 36);
  CHECK(third.start == 46);
  CHECK(state[0].bus_free == 50);  // 12 beats in 40 edges
  // A write turns the bus round, and then lets others go: 1 x 7 / 3.
  const rules::Pick write = pick(state, c, {{}, {49, 1}}, 50);
  CHECK(write.others == 58);
  CHECK(write.start == 60);
  CHECK(why(state, {49, 1}, 57) == ReadWait::turnaround);
  CHECK(why(state, {49, 1}, 58) == ReadWait::arbitration);
}

TEST_CASE("a part of the beats is a share or a narrow data path or both") {
  const auto pace = [](double share, int data_bits, contract::DdrFidelity fidelity = contract::DdrFidelity::fixed) {
    contract::DdrConfig c;
    c.share = share;
    c.data_bits = data_bits;
    c.fidelity = fidelity;
    const rules::Pace of_lanes = rules::pace_of(c, 128);
    return std::vector<std::int64_t>{of_lanes.beats, of_lanes.edges, of_lanes.shared};
  };
  using Parts = std::vector<std::int64_t>;
  CHECK(pace(1, 0) == Parts{1, 1, 0});
  CHECK(pace(1, 128) == Parts{1, 1, 0});
  CHECK(pace(1, 546) == Parts{1, 1, 0});
  CHECK(pace(1, 16) == Parts{1, 8, 0});
  CHECK(pace(0.5, 0) == Parts{1, 2, 1});
  CHECK(pace(0.5, 16) == Parts{1, 16, 1});
  CHECK(pace(0.3333, 0) == Parts{3333, 10000, 1});
  CHECK(pace(0.5, 16, contract::DdrFidelity::banked) == Parts{1, 2, 1});
}

TEST_CASE("bursts of any length get their share to the edge") {
  base::Random random(11);
  for (int run = 0; run < 50; ++run) {
    contract::DdrConfig c = config();
    c.refresh_cycles = 0;
    c.share = random.uniform(1, 10000) / 10000.0;
    rules::FixedDdrState state(1, rules::pace_of(c, 128));
    rules::quiesce(state, c, 0);
    std::int64_t beats = 0;
    for (int burst = 0; burst < 200; ++burst) {
      const int count = random.uniform(1, 256);
      pick(state, c, {{0, count}, {}}, std::max<std::int64_t>(1, state[0].bus_free));
      beats += count;
      CHECK(state[0].bus_free - 1 == beats * state.pace.edges / state.pace.beats);
    }
  }
}

TEST_CASE("a turnaround that passed while the bus was idle costs nothing") {
  const contract::DdrConfig c = config();
  rules::FixedDdrState state = fresh(c);
  pick(state, c, {{1, 2}, {}}, 2);
  CHECK(pick(state, c, {{}, {100, 2}}, 101).start == 101);
}

TEST_CASE("a refresh that is due goes before every request and waits for the burst on the bus") {
  const contract::DdrConfig c = config();
  rules::FixedDdrState state = fresh(c);
  const rules::Requests read{{990, 16}, {}};
  CHECK(pick(state, c, read, 991).start == 991);  // bus 991..1006, refresh due at 1000
  CHECK(pick(state, c, read, 1007).direction == Direction::none);
  CHECK(why(state, read.read, 1007) == ReadWait::refresh);
  CHECK(why(state, read.read, 1094) == ReadWait::refresh);
  CHECK(pick(state, c, read, 1094).direction == Direction::none);
  CHECK(pick(state, c, read, 1095).start == 1095);
  CHECK(state.refreshes == 1);
  CHECK(state.refresh_due == 2000);  // counted from the schedule, not from the delayed refresh
  CHECK(why(state, read.read, 1100) == ReadWait::busy_same);
}

TEST_CASE("refreshes of an idle memory happen at their edges whenever they are looked at") {
  const contract::DdrConfig c = config();
  rules::FixedDdrState state = fresh(c);
  const rules::Requests late{{5049, 4}, {}};
  CHECK(pick(state, c, late, 5050).direction == Direction::none);  // the fifth holds 5000..5087
  CHECK(pick(state, c, late, 5088).start == 5088);
  CHECK(state.refreshes == 5);
}

TEST_CASE("after quiesce nothing of the past is left") {
  const contract::DdrConfig c = config();
  rules::FixedDdrState state = fresh(c);
  pick(state, c, {{}, {980, 16}}, 985);
  rules::quiesce(state, c, 1010);
  CHECK(state.refreshes == 1);
  CHECK(state.refresh_due == 2010);
  const rules::Pick read = pick(state, c, {{1010, 4}, {1010, 4}}, 1011);
  CHECK(read.direction == Direction::read);
  CHECK(read.start == 1011);
}

TEST_CASE("an ideal memory has neither latency nor turnaround nor refresh") {
  contract::DdrConfig c = config();
  c.fidelity = contract::DdrFidelity::ideal;
  c = rules::effective(c);
  rules::FixedDdrState state = fresh(c);
  CHECK(pick(state, c, {{1, 4}, {}}, 2).data == 3);
  CHECK(pick(state, c, {{}, {1, 4}}, 6).data == 6);
  CHECK(pick(state, c, {{5000, 4}, {}}, 5001).start == 5001);
  CHECK(state.refreshes == 0);
}

TEST_CASE("ports have a lane each if they fit in the data path side by side and one together otherwise") {
  contract::DdrConfig c = config();
  CHECK(rules::lanes(c, 128, 2) == 1);
  c.data_bits = 255;
  CHECK(rules::lanes(c, 128, 2) == 1);
  c.data_bits = 256;
  CHECK(rules::lanes(c, 128, 2) == 2);
  CHECK(rules::lanes(c, 128, 3) == 1);
}

TEST_CASE("the oldest request of a lane's ports goes first and of equal ones the first port's while the other waits") {
  const rules::Request none, first{10, 4, 0}, second{9, 16, 1}, later{9, 8, 2};
  CHECK(rules::older(first, second).port == 1);
  CHECK(rules::older(second, later).port == 1);
  CHECK(rules::older(none, first).port == 0);
  CHECK(rules::older(second, none).port == 1);
  const contract::DdrConfig c = config();
  rules::FixedDdrState state = fresh(c);
  CHECK(pick(state, c, {second, {}}, 11).port == 1);  // its lane 11..26
  CHECK(why(state, first, 11) == ReadWait::arbitration);
  CHECK(why(state, {10, 4, 1}, 11) == ReadWait::busy_same);
  CHECK(pick(state, c, {first, {}}, 27).start == 27);
}

TEST_CASE("lanes have a burst each and a refresh waits for all of them and holds them all") {
  const contract::DdrConfig c = config();
  rules::FixedDdrState state(2);
  rules::quiesce(state, c, 0);
  CHECK(pick(state, c, {{980, 64, 0}, {}}, 981, 0).start == 981);  // 981..1044
  CHECK(pick(state, c, {{980, 16, 1}, {}}, 981, 1).start == 981);  // 981..996, the refresh is due at 1000
  const rules::Request next{997, 16, 1};
  CHECK(rules::decides(state, 998, 1) == 998);
  CHECK(pick(state, c, {next, {}}, 1000, 1).direction == Direction::none);
  CHECK(why(state, next, 1000, 1) == ReadWait::refresh);
  CHECK(rules::decides(state, 1000, 1) == 1045);
  CHECK(pick(state, c, {next, {}}, 1045, 1).direction == Direction::none);
  CHECK(state.refreshes == 1);
  for (const int lane : {0, 1}) {
    CHECK(rules::decides(state, 1045, lane) == 1133);
    CHECK(pick(state, c, {{990, 16, lane}, {}}, 1132, lane).direction == Direction::none);
    CHECK(pick(state, c, {{990, 16, lane}, {}}, 1133, lane).start == 1133);
  }
  CHECK(state.refreshes == 1);
}

TEST_CASE("looking at every edge and looking only where something can happen give the same grants") {
  base::Random random(7);
  for (int round = 0; round < 50; ++round) {
    INFO("round " << round);
    contract::DdrConfig c = config();
    c.turnaround = random.uniform(0, 12);
    c.refresh_interval = random.uniform(16, 300);
    c.refresh_cycles = random.uniform(0, 15);
    rules::FixedDdrState eager = fresh(c);
    rules::FixedDdrState lazy = fresh(c);
    rules::Requests heads{{random.uniform(0, 50), random.uniform(1, 20)},
                          {random.uniform(0, 50), random.uniform(1, 20)}};
    rules::Requests eager_heads = heads;
    std::int64_t edge = 0;
    for (int grants = 0; grants < 40; ++grants) {
      rules::Pick expected;
      std::int64_t at = edge;
      while (expected.direction == Direction::none) {
        rules::refresh(eager, c, ++at);
        expected = pick(eager, c, eager_heads, at);
      }
      rules::Pick found;
      std::int64_t guess = std::max(lazy[0].bus_free, std::min(heads.read.arrival, heads.write.arrival) + 1);
      while ((found = pick(lazy, c, heads, guess)).direction == Direction::none) guess = lazy[0].bus_free;
      REQUIRE(guess == at);
      REQUIRE(found.direction == expected.direction);
      REQUIRE(found.start == expected.start);
      edge = at;
      rules::Request& next = found.direction == Direction::read ? heads.read : heads.write;
      next = {next.arrival + random.uniform(1, 60), random.uniform(1, 20)};
      eager_heads = heads;
    }
    REQUIRE(eager.turnarounds == lazy.turnarounds);
  }
}

TEST_CASE("bursts never cross a 4 KiB boundary and cover every byte") {
  base::Random random(3);
  for (int round = 0; round < 2000; ++round) {
    contract::AxiConfig axi;
    axi.data_bits = random.chance(50) ? 64 : 128;
    axi.burst_beats = random.uniform(1, 256);
    const auto start = static_cast<std::uint32_t>(random.uniform(0, 20000));
    const int bytes = random.uniform(1, 20000);
    CAPTURE(axi.data_bits, axi.burst_beats, start, bytes);
    std::int64_t left = rules::beats_of(start, bytes, axi);
    const auto size = static_cast<std::uint32_t>(axi.beat_bytes());
    std::uint32_t address = start / size * size;
    REQUIRE(address + left * size >= start + static_cast<std::uint32_t>(bytes));
    while (left > 0) {
      const int beats = rules::burst_beats(address, left, axi);
      REQUIRE(beats >= 1);
      REQUIRE(beats <= axi.burst_beats);
      const std::uint32_t end = address + static_cast<std::uint32_t>(beats) * size;
      REQUIRE(address / 4096 == (end - 1) / 4096);
      address = end;
      left -= beats;
    }
    REQUIRE(left == 0);
  }
}

TEST_CASE("bursts that fill the space between boundaries begin where it is said at once") {
  base::Random random(4);
  for (int round = 0; round < 2000; ++round) {
    contract::AxiConfig axi;
    axi.data_bits = 32 << random.uniform(0, 4);
    axi.burst_beats = 1 << random.uniform(0, 6);
    const auto size = static_cast<std::uint64_t>(axi.beat_bytes());
    const std::uint64_t address = size * static_cast<std::uint64_t>(random.uniform(0, 1000));
    const std::int64_t all = random.uniform(1, 1500);
    CAPTURE(axi.data_bits, axi.burst_beats, address, all);
    REQUIRE(rules::BurstStarts::fill(axi));
    std::vector<std::int64_t> begins;
    std::int64_t shortest = axi.burst_beats;
    for (std::int64_t beat = 0; beat < all;) {
      begins.push_back(beat);
      const int beats = rules::burst_beats(address + static_cast<std::uint64_t>(beat) * size, all - beat, axi);
      beat += beats;
      if (beat < all) shortest = std::min<std::int64_t>(shortest, beats);
    }
    const rules::BurstStarts starts(address, all, axi);
    REQUIRE(starts.bursts() == static_cast<std::int64_t>(begins.size()));
    REQUIRE(starts.shortest() == shortest);
    for (std::size_t i = 0; i < begins.size(); ++i) {
      const std::int64_t end = i + 1 < begins.size() ? begins[i + 1] : all;
      REQUIRE(starts.end(begins[i]) == end);
      REQUIRE(starts.begin(end) == begins[i]);
    }
    for (std::int64_t beat = 0; beat < all; ++beat) {
      const auto next = std::lower_bound(begins.begin(), begins.end(), beat);
      if (next != begins.end()) REQUIRE(starts.from(beat) == *next);
      if (next == begins.end()) REQUIRE(starts.from(beat) >= all);
    }
  }
  contract::AxiConfig uneven;
  uneven.burst_beats = 48;
  CHECK_FALSE(rules::BurstStarts::fill(uneven));
}

}  // namespace fansim::fixed_ddr_test

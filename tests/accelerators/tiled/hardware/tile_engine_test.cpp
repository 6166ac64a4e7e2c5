// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/hardware/tile_engine.h"

#include "accelerators/tiled/hardware/tile_engine_rig.h"

namespace fansim::tile_engine_test {

using test::EngineLane;
using test::EngineWork;
using tiled::Half;
using tiled::Point;
using tiled::SumStore;
using tiled::TileEngine;
using tiled::WeightSet;

namespace {

constexpr std::uint64_t kSeed = 73;

using test::at;

void run(test::Bench& bench, const std::vector<std::unique_ptr<EngineLane>>& lanes) {
  int quiet = 0;
  REQUIRE(bench.run_until([&] {
    for (auto& lane : lanes)
      if (!lane->done()) return false;
    return ++quiet > 60;
  }));
}

}  // namespace

TEST_CASE("sums are products by the code's operand modulo the accumulator or in the declared order for any engine") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  std::vector<std::unique_ptr<EngineWork>> work;
  std::vector<std::unique_ptr<EngineLane>> lanes;
  for (const auto& [tm, tn] : {std::pair{4, 3}, {128, 24}, {1, 1}, {17, 300}, {40, 512}})
    for (const auto kind : {SumStore::Kind::int32, SumStore::Kind::int64, SumStore::Kind::real}) {
      work.push_back(std::make_unique<EngineWork>(test::engine_of(tm, tn), kind, 3, random));
      lanes.push_back(std::make_unique<EngineLane>("lane" + std::to_string(lanes.size()), *work.back()));
    }
  run(bench, lanes);
  for (auto& lane : lanes) lane->require_sums();
}

TEST_CASE("sums of 512 inputs are exact at the ends of 16 bits") {
  test::Bench bench;
  std::vector<std::unique_ptr<EngineWork>> work;
  std::vector<std::unique_ptr<EngineLane>> lanes;
  for (const auto kind : {SumStore::Kind::int32, SumStore::Kind::int64})
    for (const auto& [x, weight] : {std::pair{-32768, 32767}, {-32768, -32768}, {32767, -1}, {-32768, 255}}) {
      base::Random random(kSeed);
      work.push_back(std::make_unique<EngineWork>(test::engine_of(1, 512), kind));
      work.back()->add_half(1, 5, 1, random);
      for (Point& p : work.back()->points) p.values.fill(static_cast<std::int16_t>(x));
      for (std::int16_t& v : work.back()->book.integers) v = static_cast<std::int16_t>(weight);
      lanes.push_back(std::make_unique<EngineLane>("lane" + std::to_string(lanes.size()), *work.back()));
    }
  run(bench, lanes);
  for (auto& lane : lanes) lane->require_sums();
}

TEST_CASE("a half is complete latency() cycles after its last point was taken") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  std::vector<std::unique_ptr<EngineWork>> work;
  std::vector<std::unique_ptr<EngineLane>> lanes;
  for (const int tn : {1, 2, 24})
    for (const auto kind : {SumStore::Kind::int32, SumStore::Kind::real}) {
      work.push_back(std::make_unique<EngineWork>(test::engine_of(4, tn), kind, 1, random));
      lanes.push_back(std::make_unique<EngineLane>("lane" + std::to_string(lanes.size()), *work.back()));
    }
  run(bench, lanes);
  const auto latency = [&](std::size_t i) { return lanes[i]->sink.edges().at(0) - 1 - lanes[i]->last_point_taken; };
  // 3 to multiply, a level of the tree for each factor of two, 3 to accumulate; an adder of single precision takes 4
  // where an integer one takes 1, and 2 more to read and write.
  CHECK((latency(0) == 3 + 0 + 3 && latency(2) == 3 + 1 + 3 && latency(4) == 3 + 5 + 3));
  CHECK((latency(1) == 3 + 0 + 6 && latency(3) == 3 + 4 + 6 && latency(5) == 3 + 20 + 6));
  for (std::size_t i = 0; i < lanes.size(); ++i)
    CHECK(latency(i) == work[i]->engine.latency(work[i]->kind == SumStore::Kind::real));
}

TEST_CASE("the engine takes a point per cycle while sets are there whether each step's or each point's own") {
  base::Random random(kSeed);
  test::Bench bench;
  std::vector<std::unique_ptr<EngineWork>> work;
  std::vector<std::unique_ptr<EngineLane>> lanes;
  for (const int points_per_set : {1, 13}) {
    work.push_back(std::make_unique<EngineWork>(test::engine_of(4, 3), SumStore::Kind::int32));
    work.back()->add_half(13, 20, points_per_set, random);
    lanes.push_back(std::make_unique<EngineLane>("lane" + std::to_string(lanes.size()), *work.back()));
  }
  run(bench, lanes);
  for (auto& lane : lanes) {
    CHECK(test::count(lane->block, "points") == 260);
    CHECK(lane->states[at(static_cast<int>(TileEngine::State::compute))] == 260);
    CHECK(lane->last_point_taken - lane->first_point_taken == 259);
  }
  CHECK(test::count(lanes[0]->block, "sets") == 260);
  CHECK(test::count(lanes[1]->block, "sets") == 20);
}

// A sum read before it has been written back would lose a term: visits of an entry lie accumulate_latency() apart.
TEST_CASE("steps with fewer points than the accumulation has stages start accumulate_latency() cycles apart") {
  base::Random random(kSeed);
  test::Bench bench;
  std::vector<std::unique_ptr<EngineWork>> work;
  std::vector<std::unique_ptr<EngineLane>> lanes;
  for (const auto kind : {SumStore::Kind::int32, SumStore::Kind::real})
    for (const int points : {1, 2, 5}) {
      work.push_back(std::make_unique<EngineWork>(test::engine_of(4, 3), kind));
      work.back()->add_half(points, 40, points, random);
      lanes.push_back(std::make_unique<EngineLane>("lane" + std::to_string(lanes.size()), *work.back()));
    }
  run(bench, lanes);
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    lanes[i]->require_sums();
    const int points = i % 3 == 2 ? 5 : static_cast<int>(i % 3) + 1, apart = i < 3 ? 3 : 6;
    CHECK(lanes[i]->last_point_taken - lanes[i]->first_point_taken == 39 * std::max(points, apart) + points - 1);
    CHECK(test::count(lanes[i]->block, "sum_waits") == 39 * std::max(0, apart - points));
  }
}

TEST_CASE("random stalls change no sum and every cycle has one state") {
  INFO("seed " << kSeed);
  base::Random random(kSeed + 1);
  test::Bench bench;
  std::vector<std::unique_ptr<EngineWork>> work;
  std::vector<std::unique_ptr<EngineLane>> lanes;
  for (const int sets : {0, 50})
    for (const test::Stalls& stalls : test::kStallGrid) {
      work.push_back(std::make_unique<EngineWork>(test::engine_of(6, 5),
                                                  sets ? SumStore::Kind::int64 : SumStore::Kind::int32, 8, random));
      for (int i = 0; i < 40; ++i) work.back()->add_half(1, 1, 1, random);  // complete faster than the sink takes them
      lanes.push_back(std::make_unique<EngineLane>("lane" + std::to_string(lanes.size()), *work.back(), stalls, sets));
    }
  run(bench, lanes);
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    EngineLane& lane = *lanes[i];
    lane.require_sums();
    using State = TileEngine::State;
    const auto in = [&](State s) { return lane.states[at(static_cast<int>(s))]; };
    REQUIRE(in(State::compute) == static_cast<std::int64_t>(work[i]->points.size()));
    REQUIRE(in(State::wait_weights) == test::count(lane.block, "weight_waits"));
    REQUIRE(in(State::wait_sum) == test::count(lane.block, "sum_waits"));
    REQUIRE(in(State::wait_output) == test::count(lane.block, "stalls"));
    REQUIRE(in(State::compute) + in(State::wait_weights) + in(State::wait_sum) + in(State::wait_output) +
                in(State::wait_input) + in(State::idle) ==
            lane.edges);
  }
  std::int64_t stalls = 0;
  for (auto& lane : lanes) stalls += test::count(lane->block, "stalls");
  CHECK(stalls > 50);
}

TEST_CASE("the engine waits for input without a point in a half and for weights without its set and else is idle") {
  base::Random random(kSeed);
  test::Bench bench;
  EngineWork work(test::engine_of(4, 3), SumStore::Kind::int32);
  work.add_half(10, 2, 10, random);
  EngineLane lane("lane", work);
  lane.points.not_before.resize(20);
  lane.points.not_before[5] = 31;  // the sixth point is taken at 32
  lane.sets.not_before = {0, 61};  // the second step's set at 62
  bench.run(100);
  lane.require_sums();
  using State = TileEngine::State;
  const auto in = [&](State s) { return lane.states[at(static_cast<int>(s))]; };
  CHECK(in(State::compute) == 20);
  CHECK(in(State::wait_input) == 32 - 7);  // points taken at 2 .. 6, 32 .. 36
  CHECK(in(State::wait_weights) == 62 - 37);
  CHECK(in(State::idle) == lane.edges - 20 - 25 - 25);
}

TEST_CASE("a partial sum beyond output_words is a violation") {
  base::Random random(kSeed);
  test::Bench bench;
  EngineWork work(test::engine_of(4, 3, 1024, 16), SumStore::Kind::int32);
  work.add_half(17, 1, 17, random);
  EngineLane lane("lane", work);
  REQUIRE_THROWS_WITH(bench.run(50), Catch::Contains("lane_block: partial sum beyond output_words"));
}

TEST_CASE("a weight code that stands for nothing is a violation") {
  base::Random random(kSeed);
  test::Bench bench;
  EngineWork work(test::engine_of(4, 3), SumStore::Kind::int32);
  work.add_half(5, 1, 5, random);
  work.book.integers.resize(3);
  EngineLane lane("lane", work);
  REQUIRE_THROWS_WITH(bench.run(50), Catch::Contains("lane_block: a weight code without a value"));
}

}  // namespace fansim::tile_engine_test

// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/hardware/post_process.h"

#include "accelerators/tiled/hardware/post_process_rig.h"

namespace fansim::post_process_test {

using test::PostLane;
using test::PostWork;
using tiled::PostProcess;

namespace {

constexpr std::uint64_t kSeed = 74;

using test::at;

tiled::Config config_of(int tm, int tn, int lanes) {
  tiled::Config config;
  config.conv = config.first = config.fc = test::engine_of(tm, tn, 1024, 256);
  config.store.lanes = lanes;
  config.store.pool_lines = 3;
  return config;
}

void run(test::Bench& bench, std::vector<std::unique_ptr<PostLane>>& lanes) {
  int quiet = 0;
  REQUIRE(bench.run_until([&] {
    for (auto& lane : lanes)
      if (!lane->done()) return false;
    return ++quiet > 60;
  }));
}

}  // namespace

TEST_CASE("outputs are biased and requantised and clamped and pooled sums tile by tile of any format and engine") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  std::vector<std::unique_ptr<PostWork>> work;
  std::vector<std::unique_ptr<PostLane>> lanes;
  for (const int engine : {0, 1, 2})
    for (const int accumulator : {18, 20, 32, 48, 0}) {  // 0: single precision
      tiled::Config config = config_of(random.uniform(1, 20), 3, random.uniform(1, 24));
      config.quantisation.grain = accumulator ? tiled::MacGrain::coarse : tiled::MacGrain::fine;
      config.quantisation.activation_bits = random.uniform(2, 15);
      config.quantiser.accumulator_bits = accumulator ? accumulator : 32;
      config.quantiser.operand_bits = random.chance(50) ? 16 : 32;
      config.quantiser.rounding = random.chance(50) ? arith::Rounding::half_up : arith::Rounding::truncate;
      work.push_back(std::make_unique<PostWork>(config, engine, 12, random));
      lanes.push_back(std::make_unique<PostLane>("lane" + std::to_string(lanes.size()), *work.back()));
    }
  run(bench, lanes);
  for (auto& lane : lanes) lane->require_outputs();
  // The data tell rules apart: neither all zero points nor all saturated.
  for (auto& lane : lanes) CHECK(lane->distinct_outputs() > 1);
}

// There are 2 x 3 points of 5 channels, two channels at once, so 3 reads per point.
TEST_CASE("an output half is complete post_latency() cycles after the last sums were read") {
  base::Random random(kSeed);
  test::Bench bench;
  std::vector<std::unique_ptr<PostWork>> work;
  std::vector<std::unique_ptr<PostLane>> lanes;
  for (const auto grain : {tiled::MacGrain::coarse, tiled::MacGrain::fine}) {
    tiled::Config config = config_of(5, 3, 2);
    config.quantisation.grain = grain;
    work.push_back(std::make_unique<PostWork>(config));
    work.back()->add(test::conv_job(3, 5, 2, 3, 1), random);
    lanes.push_back(std::make_unique<PostLane>("lane" + std::to_string(lanes.size()), *work.back()));
    lanes.back()->producer->not_before = 20;
  }
  run(bench, lanes);
  // Sums there at 21: read at 21 .. 38, freed at 38.
  for (auto& lane : lanes) {
    CHECK(lane->producer->freed_edges().at(0) == 38 + 1);
    CHECK(test::count(lane->block, "reads") == 18);
  }
  CHECK(lanes[0]->consumer->edges().at(0) == 38 + (2 + 1 + 3 + 2 + 1) + 1);
  CHECK(lanes[1]->consumer->edges().at(0) == 38 + (2 + 4 + 3 + 5 + 1) + 1);
  CHECK(tiled::StoreConfig{}.post_latency(false) == 9);
  CHECK(tiled::StoreConfig{}.post_latency(true) == 15);
}

TEST_CASE("the post-processing reads one entry's sums for every lane per cycle and goes from tile to tile") {
  base::Random random(kSeed);
  test::Bench bench;
  const tiled::Config config = config_of(8, 3, 3);
  PostWork maps(config), vectors(config);
  tiled::TiledJob job = test::conv_job(3, 20, 8, 8, 1);  // tiles of 8, 8 and 4 channels
  job.tile_rows = job.tile_columns = 4;                  // 16 points, with four sums for each
  maps.add(job, random);
  tiled::TiledJob fc;
  fc.engine = tiled::Config::kFc;
  fc.instruction.out_channels = 44;  // five entries of 8 channels and one of 4
  fc.fc_groups = 6;
  vectors.add(fc, random);
  PostLane lane("lane", maps), fc_lane("fc_lane", vectors);
  bench.run(1000);
  REQUIRE((lane.done() && fc_lane.done()));
  std::vector<sim::Edge> apart;
  for (std::size_t i = 1; i < 12; ++i) apart.push_back(lane.consumer->edges()[i] - lane.consumer->edges()[i - 1]);
  CHECK(apart == std::vector<sim::Edge>{48, 48, 48, 48, 48, 48, 48, 32, 32, 32, 32});
  CHECK(test::count(lane.block, "tiles") == 12);
  CHECK(test::count(lane.block, "reads") == 8 * 48 + 4 * 32);
  CHECK(test::count(fc_lane.block, "reads") == 5 * 3 + 2);
  CHECK(fc_lane.consumer->edges().at(0) ==
        2 + 17 + tiled::StoreConfig{}.post_latency(false) + 1);  // the job popped at 2
}

// There are 4 x 4 points, and windows of 3 x 3 at stride 1 with a border of 1. Rows and columns 1 and 2 close a window,
// 3 closes two, and 0 none. Rows 0, 1 and 2 take 1 + 1 + 1 + 2 edges each, and row 3 takes 1 + 2 + 2 + 4.
TEST_CASE("a point takes an edge for each column of windows that it closes and for each output that it completes") {
  base::Random random(kSeed);
  test::Bench bench;
  PostWork work(config_of(5, 3, 2));  // 5 channels: three reads of a point
  tiled::TiledJob job = test::conv_job(3, 5, 4, 4, 1);
  job.instruction.type = tiled::Instruction::kPool;
  job.pool_kernel = 3;
  job.pool_stride = 1;
  job.pool_padding = 1;
  work.add(job, random);
  PostLane lane("lane", work);
  lane.producer->not_before = 20;
  bench.run(200);
  REQUIRE(lane.done());
  lane.require_outputs();
  // Sums there at 21.
  const int edges = 3 * (3 * 5 + 9);
  CHECK(test::count(lane.block, "reads") == edges);
  CHECK(lane.producer->freed_edges().at(0) == 20 + edges + 1);
  CHECK(lane.consumer->edges().at(0) == 20 + edges + tiled::StoreConfig{}.post_latency(false) + 1);
}

TEST_CASE("at one edge the output store is written once per lane at most") {
  base::Random random(kSeed);
  test::Bench bench;
  const tiled::Config config = config_of(8, 3, 3);
  PostWork maps(config), vectors(config);
  tiled::TiledJob pooled = test::conv_job(3, 20, 8, 8, 1);
  maps.add(pooled, random);
  pooled.instruction.type = tiled::Instruction::kPool;
  pooled.pool_kernel = 3;
  pooled.pool_stride = 1;
  pooled.pool_padding = 1;
  maps.add(pooled, random);
  tiled::TiledJob fc;
  fc.engine = tiled::Config::kFc;
  fc.instruction.out_channels = 44;
  fc.fc_groups = 6;
  vectors.add(fc, random);
  PostLane lane("lane", maps), fc_lane("fc_lane", vectors);
  for (PostLane* one : {&lane, &fc_lane}) {
    auto before = std::make_shared<decltype(one->output.half)>(one->output.half);
    bench.at_each_edge([one, before](sim::Edge) {
      int written = 0;
      for (std::size_t h = 0; h < before->size(); ++h)
        for (std::size_t i = 0; i < (*before)[h].size(); ++i) {
          const std::int16_t value = one->output.half[h][i];
          written += value != (*before)[h][i] && value != PostLane::kSpoilt;
        }
      *before = one->output.half;
      REQUIRE(written <= 3);
    });
  }
  bench.run(2000);
  REQUIRE((lane.done() && fc_lane.done()));
  lane.require_outputs();
  fc_lane.require_outputs();
}

TEST_CASE("random stalls change no output and every cycle is a read or a wait or a stall") {
  INFO("seed " << kSeed);
  base::Random random(kSeed + 1);
  test::Bench bench;
  std::vector<std::unique_ptr<PostWork>> work;
  std::vector<std::unique_ptr<PostLane>> lanes;
  for (const test::Stalls& stalls : test::kStallGrid) {
    tiled::Config config = config_of(6, 3, 6);
    config.conv.double_buffer = stalls.in != 30;
    work.push_back(std::make_unique<PostWork>(config, stalls.in == 70 ? 2 : 0, 6, random));
    lanes.push_back(std::make_unique<PostLane>("lane" + std::to_string(lanes.size()), *work.back(), stalls));
  }
  std::vector<std::array<std::int64_t, 5>> states(lanes.size());
  std::int64_t edges = 0;
  bench.at_each_edge([&](sim::Edge edge) {
    if (edge == 1) return;
    ++edges;
    for (std::size_t i = 0; i < lanes.size(); ++i) ++states[i][at(static_cast<int>(lanes[i]->block.state()))];
  });
  run(bench, lanes);
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    lanes[i]->require_outputs();
    using State = PostProcess::State;
    const auto in = [&](State s) { return states[i][at(static_cast<int>(s))]; };
    REQUIRE(in(State::read) == test::count(lanes[i]->block, "reads"));
    REQUIRE(in(State::wait_sums) == test::count(lanes[i]->block, "sums_waits"));
    REQUIRE(in(State::wait_parameters) == test::count(lanes[i]->block, "parameter_waits"));
    REQUIRE(in(State::wait_output) == test::count(lanes[i]->block, "stalls"));
    REQUIRE(in(State::idle) + in(State::read) + in(State::wait_sums) + in(State::wait_parameters) +
                in(State::wait_output) ==
            edges);
  }
}

TEST_CASE("a tile waits for its layer's parameters and for an output half that the store stage has freed") {
  base::Random random(kSeed);
  test::Bench bench;
  PostWork work(config_of(4, 3, 4));
  work.add(test::conv_job(3, 16, 2, 2, 1), random);  // four tiles of 4 reads
  PostLane lane("lane", work);
  lane.parameters.not_before = {30};
  lane.consumer->not_before = 100;
  bench.run(200);
  REQUIRE(lane.done());
  // Parameters are there at 31, so sums are read at 31 .. 34 and 35 .. 38. Then both halves are taken until 101.
  CHECK(lane.producer->freed_edges() == std::vector<sim::Edge>{35, 39, 105, 109});
  CHECK(lane.consumer->edges() == std::vector<sim::Edge>{100, 101, 104 + 9 + 1, 108 + 9 + 1});
  CHECK(test::count(lane.block, "parameter_waits") == 31 - 3);
}

TEST_CASE("a tile beyond the output half is a violation") {
  base::Random random(kSeed);
  test::Bench bench;
  PostWork work(config_of(4, 3, 4));
  work.add(test::conv_job(3, 4, 5, 5, 1), random);
  PostLane lane("lane", work);
  lane.output[0].resize(99);
  REQUIRE_THROWS_WITH(bench.run(100), Catch::Contains("lane_block: a tile beyond the output half"));
}

TEST_CASE("a pooled tile wider than the line memories is a violation") {
  base::Random random(kSeed);
  test::Bench bench;
  tiled::Config config = config_of(4, 3, 4);
  config.store.words = 3;
  PostWork work(config);
  tiled::TiledJob job = test::conv_job(3, 4, 4, 4, 1);
  job.instruction.type = tiled::Instruction::kPool;
  work.add(job, random);
  PostLane lane("lane", work);
  REQUIRE_THROWS_WITH(bench.run(100), Catch::Contains("lane_block: a tile beyond the line memories"));
}

TEST_CASE("a job for an engine that does not exist is a violation") {
  base::Random random(kSeed);
  test::Bench bench;
  PostWork work(config_of(4, 3, 4));
  work.add(test::conv_job(3, 4, 2, 2, 1), random);
  PostLane lane("lane", work);
  tiled::TiledJob other = work.layers[0].job;
  other.engine = tiled::Config::kFirst;
  lane.jobs.add(other);
  lane.parameters.add({});
  REQUIRE_THROWS_WITH(bench.run(100), Catch::Contains("lane_block: a job for an engine that does not exist"));
}

}  // namespace fansim::post_process_test

// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/hardware/store_unit.h"

#include "accelerators/tiled/config/map_runs.h"
#include "accelerators/tiled/hardware/load_stage.h"

namespace fansim::store_unit_test {

using tiled::Config;
using tiled::Half;
using tiled::TiledJob;

namespace {

tiled::Config config_of() {
  tiled::Config config;
  config.conv = {4, 3};
  config.fc = {4, 2};
  return config;
}

// The job stores 10 channels of 5 x 7 in tiles of 4 x 2 x 3, in blocks of 6 channels.
TiledJob conv_job() {
  TiledJob job;
  job.instruction = {3, 10, 5, 7, 1, 1, 0, 0};
  job.out_rows = 5;
  job.out_columns = 7;
  job.tile_rows = 2;
  job.tile_columns = 3;
  job.out_block_channels = 6;
  job.out_block_bytes = 256;
  job.out_plane = 35;
  job.out_row = 7;
  return job;
}

TiledJob fc_job() {
  TiledJob job;
  job.engine = tiled::Config::kFc;
  job.instruction = {8, 21, 1, 1, 1, 1, 0, tiled::Instruction::kFc};
  job.out_block_channels = 21;
  job.out_block_bytes = 64;
  return job;
}

std::vector<tiled::Extent> runs_of(const TiledJob& job, const tiled::Config& config) {
  const tiled::TileNest nest(job, config.engine(job.engine));
  std::vector<tiled::Extent> runs;
  const auto add = [&](int first, int channels, const tiled::Region& region) {
    tiled::MapExtents map(output_place(job), config.output_encoding(), first, channels, region);
    while (!map.done()) runs.push_back(map.next());
  };
  if (nest.fc_engine()) {
    add(0, job.instruction.out_channels, {0, 0, 1, 1});
    return runs;
  }
  for (int m = 0; m < nest.m_tiles(); ++m)
    for (int y = 0; y < nest.y_tiles(); ++y)
      for (int x = 0; x < nest.x_tiles(); ++x) add(m * nest.tm(), nest.out_channels(m), nest.output(y, x));
  return runs;
}

struct Rig {
  Rig(const std::string& name, std::vector<TiledJob> layers, std::vector<Half> tiles, test::Stalls stalls = {0, 0})
      : config(config_of()),
        job((name + "_job").c_str()),
        complete((name + "_complete").c_str()),
        half((name + "_half").c_str()),
        requests((name + "_requests").c_str()),
        commands((name + "_commands").c_str()),
        written((name + "_written").c_str()),
        nothing((name + "_nothing").c_str()),
        jobs((name + "_jobs").c_str(), std::move(layers)),
        completed((name + "_completed").c_str(), std::move(tiles), stalls.in),
        halves((name + "_halves").c_str(), stalls.out),
        block((name + "_block").c_str(), config),
        stage((name + "_stage").c_str(), stalls.out, 12, 0) {
    jobs.out(job);
    block.job(job);
    completed.out(complete);
    block.complete(complete);
    block.half(half);
    halves.in(half);
    block.requests(requests);
    stage.requests(requests);
    block.commands(commands);
    stage.commands(commands);
    stage.done(written);
    block.written(written);
    stage.freed(nothing);
  }

  const tiled::Config config;
  sim::Stream<TiledJob> job;
  sim::Stream<Half> complete, half;
  sim::Stream<tiled::Extent> requests, commands;
  sim::Stream<tiled::TileWritten> written;
  sim::Stream<Half> nothing;
  test::Source<TiledJob> jobs;
  test::Source<Half> completed;
  test::Sink<Half> halves;
  tiled::StoreUnit block;
  test::LoadStage<tiled::Extent, tiled::TileWritten> stage;
};

std::vector<Half> alternating(int tiles) {
  std::vector<Half> halves;
  for (int i = 0; i < tiles; ++i) halves.push_back({i % 2});
  return halves;
}

void require(const Rig& rig, const std::vector<TiledJob>& layers, int tiles) {
  std::vector<tiled::Extent> expected;
  for (const TiledJob& layer : layers)
    for (const tiled::Extent& run : runs_of(layer, rig.config)) expected.push_back(run);
  REQUIRE(rig.stage.taken.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    REQUIRE(rig.stage.taken[i].address == expected[i].address);
    REQUIRE(rig.stage.taken[i].values == expected[i].values);
    REQUIRE(rig.stage.taken[i].skip == expected[i].skip);
    REQUIRE(rig.stage.taken[i].last == expected[i].last);
  }
  REQUIRE(static_cast<int>(rig.halves.count()) == tiles);
  for (std::size_t i = 0; i < rig.halves.count(); ++i) REQUIRE(rig.halves.items()[i].index == static_cast<int>(i % 2));
  CHECK_FALSE(rig.stage.mismatch);
  CHECK(rig.block.layers_done() == static_cast<std::int64_t>(layers.size()));
}

constexpr int kConvTiles = 3 * 3 * 3;

}  // namespace

TEST_CASE("every run of every tile is written in the nest's order under random stalls") {
  test::Bench bench;
  std::vector<std::unique_ptr<Rig>> rigs;
  const std::vector<TiledJob> layers{conv_job(), fc_job()};
  for (const test::Stalls stalls : test::kStallGrid)
    rigs.push_back(
        std::make_unique<Rig>("rig" + std::to_string(rigs.size()), layers, alternating(kConvTiles + 1), stalls));
  bench.run(4000);
  for (const auto& rig : rigs) require(*rig, layers, kConvTiles + 1);
}

TEST_CASE("a tile's first run leaves at the edge that sees it complete and a run a cycle follows") {
  test::Bench bench;
  Rig rig("rig", {conv_job()}, {});
  for (int i = 0; i < kConvTiles; ++i) rig.completed.add({i % 2}, 100 + 200 * i);
  bench.run(100 + 200 * kConvTiles);
  // Pushed at 100, seen and the first run pushed at 101, seen behind at 102: 4 channels of 2 rows.
  for (std::size_t i = 0; i < 8; ++i) CHECK(rig.stage.edges[i] == 102 + static_cast<sim::Edge>(i));
  CHECK(rig.stage.edges[8] == 302);
}

TEST_CASE("the layer is done when its last response is in and not before") {
  test::Bench bench;
  Rig rig("rig", {fc_job()}, {{0}});
  sim::Edge done = 0;
  bench.at_each_edge([&](sim::Edge now) {
    if (done == 0 && rig.block.layers_done() == 1) done = now;
  });
  bench.run(200);
  // `written` is pushed at spans[0].end, seen one edge later, and the count by whoever looks at the edge after.
  CHECK(done == rig.stage.spans[0].end + 2);
}

TEST_CASE("a tile that comes early waits for its job and a job for its tiles") {
  test::Bench bench;
  Rig rig("rig", {}, alternating(1));
  rig.jobs.add(fc_job(), 500);
  bench.run(600);
  CHECK(rig.stage.spans[0].begin == 503);  // pushed at 500, popped at 501; the tile at 502, seen behind at 503
  CHECK(rig.block.layers_done() == 1);
}

TEST_CASE("the store's account adds up") {
  test::Bench bench;
  Rig rig("rig", {conv_job()}, alternating(kConvTiles));
  bench.run(4000);
  std::int64_t cycles = 0;
  for (const auto& span : rig.stage.spans) cycles += span.end + 1 - (span.begin - 1);
  CHECK(rig.block.account().tiles() == kConvTiles);
  CHECK(rig.block.account().cycles() == cycles);
  CHECK(test::counter(rig.block, "runs") == static_cast<std::int64_t>(rig.stage.taken.size()));
}

}  // namespace fansim::store_unit_test

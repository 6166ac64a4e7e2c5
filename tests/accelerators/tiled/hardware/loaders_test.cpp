// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "accelerators/tiled/config/map_runs.h"
#include "accelerators/tiled/hardware/input_loader.h"
#include "accelerators/tiled/hardware/load_stage.h"
#include "accelerators/tiled/hardware/weight_loader.h"

namespace fansim::loaders_test {

using tiled::Config;
using tiled::TiledJob;

namespace {

tiled::Config config_of(tiled::LoadOrder order, bool reorganise = true, bool double_buffer = true) {
  tiled::Config config;
  config.conv = {4, 3};
  config.conv.double_buffer = double_buffer;
  config.first = {2, 2};
  config.fc = {4, 2};
  config.weights.double_buffer = double_buffer;
  config.load.order = order;
  config.load.reorganise = reorganise;
  return config;
}

// The job makes 10 channels of 3 x 2 after pooling from 7 channels of 6 x 5, with tiles in both output directions and 3
// tiles of input channels.
TiledJob conv_job() {
  TiledJob job;
  job.instruction = {7, 10, 6, 5, 3, 1, 1, tiled::Instruction::kPool};
  job.pool_kernel = job.pool_stride = 2;
  job.out_rows = 3;
  job.out_columns = 2;
  job.tile_rows = 2;
  job.tile_columns = 1;
  job.in_block_channels = 3;
  job.in_block_bytes = 128;
  job.in_plane = 30;
  job.in_row = 5;
  job.weight_address = 4096;
  job.parameter_address = 8192;
  return job;
}

TiledJob fc_job() {
  TiledJob job;
  job.engine = tiled::Config::kFc;
  job.instruction = {22, 21, 1, 1, 1, 1, 0, tiled::Instruction::kFc};
  job.in_block_channels = 22;
  job.in_block_bytes = 64;
  job.weight_address = 4096;
  job.parameter_address = 8192;
  job.fc_block = 12;
  job.fc_steps = 3;
  job.fc_groups = 2;
  return job;
}

struct Rig {
  Rig(const std::string& name, const tiled::Config& c, std::vector<TiledJob> layers, int stall = 0)
      : config(c),
        input_job((name + "_input_job").c_str()),
        weight_job((name + "_weight_job").c_str()),
        input_requests((name + "_input_requests").c_str()),
        weight_requests((name + "_weight_requests").c_str()),
        input_commands((name + "_input_commands").c_str()),
        weight_commands((name + "_weight_commands").c_str()),
        input_done((name + "_input_done").c_str()),
        weight_done((name + "_weight_done").c_str()),
        to_weights((name + "_to_weights").c_str()),
        to_inputs((name + "_to_inputs").c_str()),
        input_jobs((name + "_input_jobs").c_str(), layers),
        weight_jobs((name + "_weight_jobs").c_str(), layers),
        inputs((name + "_inputs").c_str(), config),
        weights((name + "_weights").c_str(), config),
        input_stage((name + "_input_stage").c_str(), stall, 9, 25),
        weight_stage((name + "_weight_stage").c_str(), stall, 5, 30) {
    for (int e = 0; e < 3; ++e)
      for (const char* kind : {"_input_freed", "_weight_freed"})
        freed.push_back(std::make_unique<sim::Stream<tiled::Half>>((name + kind + std::to_string(e)).c_str()));
    const auto engine = static_cast<std::size_t>(layers.front().engine);
    input_jobs.out(input_job);
    inputs.job(input_job);
    weight_jobs.out(weight_job);
    weights.job(weight_job);
    inputs.requests(input_requests);
    input_stage.requests(input_requests);
    inputs.commands(input_commands);
    input_stage.commands(input_commands);
    weights.requests(weight_requests);
    weight_stage.requests(weight_requests);
    weights.commands(weight_commands);
    weight_stage.commands(weight_commands);
    input_stage.done(input_done);
    inputs.done(input_done);
    weight_stage.done(weight_done);
    weights.done(weight_done);
    inputs.turn_over(to_weights);
    weights.turn(to_weights);
    weights.turn_over(to_inputs);
    inputs.turn(to_inputs);
    inputs.freed_conv(*freed[0]);
    inputs.freed_first(*freed[2]);
    inputs.freed_fc(*freed[4]);
    weights.freed_conv(*freed[1]);
    weights.freed_first(*freed[3]);
    weights.freed_fc(*freed[5]);
    input_stage.freed(*freed[2 * engine]);
    weight_stage.freed(*freed[2 * engine + 1]);
  }

  const tiled::Config config;
  sim::Stream<TiledJob> input_job, weight_job;
  sim::Stream<tiled::Extent> input_requests, weight_requests;
  sim::Stream<tiled::MapExtent> input_commands;
  sim::Stream<tiled::WeightExtent> weight_commands;
  sim::Stream<tiled::Turn> input_done, weight_done, to_weights, to_inputs;
  std::vector<std::unique_ptr<sim::Stream<tiled::Half>>> freed;
  test::Source<TiledJob> input_jobs, weight_jobs;
  tiled::InputLoader inputs;
  tiled::WeightLoader weights;
  test::LoadStage<tiled::MapExtent> input_stage;
  test::LoadStage<tiled::WeightExtent> weight_stage;
};

// The runs of a layer's inputs, written down as its loops.
std::vector<tiled::Extent> input_runs(const TiledJob& job, const tiled::Config& config) {
  const tiled::TileNest nest(job, config.engine(job.engine));
  std::vector<tiled::Extent> runs;
  const auto add = [&](int first, int channels, const tiled::Region& region) {
    tiled::MapExtents map(input_place(job), config.input_encoding(), first, channels, region);
    while (!map.done()) runs.push_back(map.next());
  };
  if (nest.fc_engine()) {
    for (int b = 0; b < nest.fc_blocks(); ++b) add(b * job.fc_block, nest.fc_inputs(b), {0, 0, 1, 1});
    return runs;
  }
  for (int m = 0; m < nest.m_tiles(); ++m)
    for (int y = 0; y < nest.y_tiles(); ++y)
      for (int x = 0; x < nest.x_tiles(); ++x)
        for (int n = 0; n < nest.n_tiles(); ++n)
          add(n * nest.tn(), nest.in_channels(n), nest.input(nest.sums(nest.output(y, x))));
  return runs;
}

std::vector<tiled::Extent> weight_runs(const TiledJob& job, const tiled::Config& config) {
  const tiled::TileNest nest(job, config.engine(job.engine));
  const tiled::WeightExtents all(job, config.engine(job.engine), config.weight_encoding(), config.load.reorganise);
  std::vector<tiled::Extent> runs{all.parameters(0, job.instruction.out_channels).run};
  const auto add = [&](const tiled::WeightTile& tile) {
    for (int i = 0; i < all.count(tile); ++i) runs.push_back(all.run(tile, i).run);
  };
  if (nest.fc_engine()) {
    for (int b = 0; b < nest.fc_blocks(); ++b)
      for (int m = 0; m < nest.fc_m_tiles(); ++m)
        for (int k = 0; k < nest.fc_k_tiles(b); ++k) add(all.fc_tile(b, m, k));
    return runs;
  }
  for (int m = 0; m < nest.m_tiles(); ++m)
    for (int place = 0; place < nest.y_tiles() * nest.x_tiles(); ++place)
      for (int n = 0; n < nest.n_tiles(); ++n) add(all.conv_tile(m, n));
  return runs;
}

template <class Command>
void require_runs(const std::vector<Command>& taken, const std::vector<tiled::Extent>& expected) {
  REQUIRE(taken.size() == expected.size());
  for (std::size_t i = 0; i < taken.size(); ++i) {
    REQUIRE(taken[i].run.address == expected[i].address);
    REQUIRE(taken[i].run.beats == expected[i].beats);
    REQUIRE(taken[i].run.skip == expected[i].skip);
    REQUIRE(taken[i].run.values == expected[i].values);
    REQUIRE(taken[i].run.last == expected[i].last);
  }
}

void require_layer(const Rig& rig, const TiledJob& job) {
  require_runs(rig.input_stage.taken, input_runs(job, rig.config));
  require_runs(rig.weight_stage.taken, weight_runs(job, rig.config));
  CHECK_FALSE(rig.input_stage.mismatch);
  CHECK_FALSE(rig.weight_stage.mismatch);
}

using Order = tiled::LoadOrder;

}  // namespace

TEST_CASE("the loaders ask for every run of the nest in its order under random stalls") {
  test::Bench bench;
  std::vector<std::unique_ptr<Rig>> rigs;
  std::vector<TiledJob> jobs;
  for (const Order order : {Order::serial, Order::parallel})
    for (const bool reorganise : {true, false})
      for (const int stall : {0, 30, 70})
        for (const TiledJob& job : {conv_job(), fc_job()}) {
          rigs.push_back(std::make_unique<Rig>("rig" + std::to_string(rigs.size()), config_of(order, reorganise),
                                               std::vector<TiledJob>{job}, stall));
          jobs.push_back(job);
        }
  bench.run(12000);
  for (std::size_t i = 0; i < rigs.size(); ++i) require_layer(*rigs[i], jobs[i]);
}

TEST_CASE("in serial order one thing is loaded at a time: parameters and then inputs and weights in turns") {
  test::Bench bench;
  Rig conv("conv", config_of(Order::serial), {conv_job()}), fc("fc", config_of(Order::serial), {fc_job()});
  bench.run(6000);
  for (Rig* rig : {&conv, &fc}) {
    std::vector<test::LoadStage<tiled::MapExtent>::Span> all;
    for (const auto& span : rig->input_stage.spans) all.push_back(span);
    for (const auto& span : rig->weight_stage.spans) all.push_back({span.begin, span.end, span.frees});
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
    CHECK(all.front().begin == rig->weight_stage.spans.front().begin);
    CHECK(all[1].begin == rig->input_stage.spans.front().begin);
    for (std::size_t i = 1; i < all.size(); ++i) CHECK(all[i - 1].end < all[i].begin);
  }
  // In a convolution, inputs and weights strictly take turns.
  for (std::size_t i = 0; i < conv.input_stage.spans.size(); ++i) {
    CHECK(conv.input_stage.spans[i].begin < conv.weight_stage.spans[i + 1].begin);
    if (i > 0) CHECK(conv.weight_stage.spans[i].begin < conv.input_stage.spans[i].begin);
  }
}

TEST_CASE("in parallel order the streams run side by side and no more halves are filled than there are") {
  test::Bench bench;
  Rig two("two", config_of(Order::parallel), {conv_job()}),
      one("one", config_of(Order::parallel, true, false), {conv_job()});
  bench.run(12000);
  CHECK(two.input_stage.most_held == 2);
  CHECK(two.weight_stage.most_held == 2);
  CHECK(one.input_stage.most_held == 1);
  CHECK(one.weight_stage.most_held == 1);
  CHECK(two.weight_stage.spans[1].begin < two.input_stage.spans[0].end);
  require_layer(two, conv_job());
  require_layer(one, conv_job());
}

TEST_CASE("a tile's first run leaves at the edge that sees its turn and a run a cycle follows") {
  test::Bench bench;
  TiledJob job = conv_job();
  job.in_row = 8;
  job.in_plane = 48;
  job.in_block_bytes = 192;  // padded rows: a run each
  Rig rig("rig", config_of(Order::serial), {job});
  bench.run(12000);
  // The job is pushed at 1 and seen at 2; its parameters' run is pushed there and seen by the stage at 3.
  CHECK(rig.weight_stage.spans[0].begin == 3);
  CHECK(rig.weight_stage.spans[0].end == 8);
  // Done is seen at 9, where the turn is pushed; it is seen at 10 and the first run pushed; the stage sees that at 11.
  CHECK(rig.input_stage.spans[0].begin == 11);
  const tiled::TileNest nest(job, rig.config.conv);
  const int rows = nest.input(nest.sums(nest.output(0, 0))).rows;
  for (int i = 0; i < 3 * rows; ++i) CHECK(rig.input_stage.edges[static_cast<std::size_t>(i)] == 11 + i);
}

TEST_CASE("the loaders' accounts add up: every tile from its first request to the edge that sees it complete") {
  test::Bench bench;
  Rig rig("rig", config_of(Order::parallel), {conv_job(), conv_job()}, 30);
  bench.run(20000);
  const auto check = [](const tiled::LoadAccount& account, const auto& spans, std::size_t parameters) {
    std::int64_t cycles = 0, tiles = 0;
    for (const auto& span : spans) {
      if (!span.frees) continue;
      ++tiles;
      cycles += span.end + 1 - span.begin;
    }
    CHECK(account.tiles() == tiles);
    CHECK(spans.size() == static_cast<std::size_t>(tiles) + parameters);
    // A run waits for the stage at random, but begins a cycle before it is seen at the latest.
    CHECK(account.cycles() >= cycles + tiles);
    CHECK(account.none_under_way());
  };
  check(rig.inputs.account(), rig.input_stage.spans, 0);
  check(rig.weights.account(), rig.weight_stage.spans, 2);
  CHECK(test::counter(rig.inputs, "runs") == static_cast<std::int64_t>(rig.input_stage.taken.size()));
  CHECK(test::counter(rig.weights, "runs") == static_cast<std::int64_t>(rig.weight_stage.taken.size()));
}

}  // namespace fansim::loaders_test

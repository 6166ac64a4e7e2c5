// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/hardware/post_process.h"
#include "accelerators/tiled/hardware/tile_engine.h"
#include "accelerators/tiled/hardware/tile_walker.h"
#include "accelerators/tiled/hardware/tiled_layer.h"
#include "accelerators/tiled/hardware/weight_feeder.h"
#include "support/blocks.h"
#include "support/halves.h"

// These tests run whole layers through walker, feeder, engine and post-processing, between producers of tiles and a
// consumer.
namespace fansim::tile_chain_test {

using tiled::Half;
using tiled::SumStore;

namespace {

constexpr std::uint64_t kSeed = 76;

using test::at;

template <class T>
std::function<void(int, int)> fill(const std::vector<std::vector<T>>& tiles, tiled::TileStore<T>& store) {
  return [&](int tile, int half) { std::copy(tiles[at(tile)].begin(), tiles[at(tile)].end(), store[half].begin()); };
}
// Overwrites with a value that makes a difference if it is read too late.
template <class T>
std::function<void(int)> spoil(tiled::TileStore<T>& store, T value) {
  return [&store, value](int half) { std::fill(store[half].begin(), store[half].end(), value); };
}

struct Chain {
  Chain(const std::string& name, const tiled::Config& config, const test::TiledLayer& of, const tiled::CodeBook& book,
        test::Stalls stalls = {0, 0}, bool values = true)
      : layer(of),
        engine_config(config.engine(of.job.engine)),
        fc(of.fc_engine()),
        input_tiles(of.input_tiles()),
        weight_tiles(of.weight_tiles()),
        parameter_store{of.parameters},
        inputs(engine_config.halves(), 1 << 14),
        level1(config.weights.halves(), 1 << 14),
        output(2, 1 << 14),
        sums(engine_config, fc ? 1 : engine_config.halves(), config.float_sum(), config.quantiser.accumulator_bits),
        walker_job_source((name + "_walker_jobs").c_str(), {of.job}),
        feeder_job_source((name + "_feeder_jobs").c_str(), {of.job}),
        post_job_source((name + "_post_jobs").c_str(), {of.job}),
        parameters((name + "_parameters").c_str(), {{}}),
        input_producer((name + "_inputs").c_str(), static_cast<int>(input_tiles.size()), engine_config.halves(),
                       fill(input_tiles, inputs), spoil(inputs, std::int16_t{77}), stalls.in),
        weight_producer((name + "_weights").c_str(), static_cast<int>(weight_tiles.size()), config.weights.halves(),
                        fill(weight_tiles, level1), spoil(level1, std::uint16_t{1}), stalls.in),
        walker((name + "_walker").c_str(), engine_config, of.job.engine, inputs, sums.halves(), values),
        feeder((name + "_feeder").c_str(), engine_config, of.job.engine, 8, level1, values),
        engine((name + "_engine").c_str(), engine_config, book, sums, values),
        post((name + "_post").c_str(), config,
             {of.job.engine == 0 ? &sums : nullptr, of.job.engine == 1 ? &sums : nullptr, fc ? &sums : nullptr},
             parameter_store, output, values),
        consumer((name + "_consumer").c_str(), [this](int half) { outputs.push_back(output[half]); }, stalls.out) {
    if (!fc) sets.hold_one();
    walker_job_source.out(walker_job);
    walker.job(walker_job);
    feeder_job_source.out(feeder_job);
    feeder.job(feeder_job);
    post_job_source.out(post_job);
    post.job(post_job);
    post.table(table);
    parameters.out(turn);
    post.parameters(turn);
    input_producer.filled(input_filled);
    walker.inputs(input_filled);
    input_producer.freed(input_freed);
    walker.freed(input_freed);
    weight_producer.filled(weight_filled);
    feeder.weights(weight_filled);
    weight_producer.freed(weight_freed);
    feeder.freed(weight_freed);
    walker.points(points);
    engine.points(points);
    feeder.sets(sets);
    engine.sets(sets);
    engine.sums(complete);
    post.engine(of.job.engine).sums(complete);
    post.engine(of.job.engine).freed(sums_freed);
    walker.sums_freed(sums_freed);
    post.output(output_complete);
    consumer.complete(output_complete);
    post.output_freed(output_freed);
    consumer.freed(output_freed);
  }

  bool done(std::size_t tiles) const { return consumer.count() == tiles; }

  const test::TiledLayer& layer;
  const tiled::EngineConfig engine_config;
  const bool fc;
  std::vector<std::vector<std::int16_t>> input_tiles;
  std::vector<std::vector<std::uint16_t>> weight_tiles;
  tiled::ParameterStore parameter_store;
  tiled::TileStore<std::int16_t> inputs;
  tiled::TileStore<std::uint16_t> level1;
  tiled::TileStore<std::int16_t> output;
  SumStore sums;
  std::vector<std::vector<std::int16_t>> outputs;

  sim::Stream<tiled::TiledJob> walker_job{sc_core::sc_gen_unique_name("walker_job")},
      feeder_job{sc_core::sc_gen_unique_name("feeder_job")}, post_job{sc_core::sc_gen_unique_name("post_job")};
  sim::Stream<tiled::Turn> turn{sc_core::sc_gen_unique_name("turn")};
  sim::Stream<axi::LiteRequest> table{sc_core::sc_gen_unique_name("table")};
  sim::Stream<Half> input_filled{sc_core::sc_gen_unique_name("input_filled")},
      input_freed{sc_core::sc_gen_unique_name("input_freed")},
      weight_filled{sc_core::sc_gen_unique_name("weight_filled")},
      weight_freed{sc_core::sc_gen_unique_name("weight_freed")}, complete{sc_core::sc_gen_unique_name("complete")},
      sums_freed{sc_core::sc_gen_unique_name("sums_freed")},
      output_complete{sc_core::sc_gen_unique_name("output_complete")},
      output_freed{sc_core::sc_gen_unique_name("output_freed")};
  sim::Stream<tiled::Point> points{sc_core::sc_gen_unique_name("points")};
  sim::Stream<tiled::WeightSet> sets{sc_core::sc_gen_unique_name("sets")};

  test::Source<tiled::TiledJob> walker_job_source, feeder_job_source, post_job_source;
  test::Source<tiled::Turn> parameters;
  test::HalfProducer input_producer, weight_producer;
  tiled::TileWalker walker;
  tiled::WeightFeeder feeder;
  tiled::TileEngine engine;
  tiled::PostProcess post;
  test::HalfConsumer consumer;
};

struct Work {
  Work(const tiled::Config& of, const tiled::TiledJob& job, base::Random& random)
      : config(of),
        book(test::random_book(5, random)),
        layer(test::layer_of(job, of.engine(job.engine), 8, 5, random)) {
    for (std::int16_t& v : book.integers) v = static_cast<std::int16_t>(v >> 9);
    if (config.float_sum()) {
      test::make_biases_real(layer);
      expected = layer.output_tiles(test::outputs(layer, test::real_sums(layer, book), config.quantiser, 8));
    } else {
      expected = layer.output_tiles(test::outputs(layer, test::exact_sums(layer, book), config.quantiser, 8));
    }
  }
  void require(const Chain& chain) const {
    REQUIRE(chain.outputs.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
      REQUIRE(std::equal(expected[i].begin(), expected[i].end(), chain.outputs[i].begin()));
  }
  tiled::Config config;
  tiled::CodeBook book;
  test::TiledLayer layer;
  std::vector<std::vector<std::int16_t>> expected;  // of each output tile
};

tiled::Config config_of(int tm, int tn) {
  tiled::Config config;
  config.conv = config.first = config.fc = test::engine_of(tm, tn, 1024, 256);
  config.store.pool_lines = 3;
  return config;
}

}  // namespace

TEST_CASE("layers come out as loops over them say for any shape and engine and buffering and format and stalls") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  std::vector<std::unique_ptr<Work>> work;
  std::vector<std::unique_ptr<Chain>> chains;
  for (int i = 0; i < 108; ++i) {
    tiled::Config config = config_of(random.uniform(1, 9), random.uniform(1, 6));
    for (tiled::EngineConfig* e : {&config.conv, &config.first, &config.fc}) e->double_buffer = random.chance(50);
    config.weights.double_buffer = random.chance(50);
    config.store.lanes = random.uniform(1, 8);
    config.quantisation.grain = random.chance(40) ? tiled::MacGrain::fine : tiled::MacGrain::coarse;
    config.quantiser.accumulator_bits = random.chance(30) ? 48 : random.chance(50) ? 16 : 32;
    tiled::TiledJob job = i % 4 == 3 ? test::random_fc(config.fc, random) : test::random_conv(config.conv, random);
    if (i % 4 == 1) job.engine = tiled::Config::kFirst;
    work.push_back(std::make_unique<Work>(config, job, random));
    chains.push_back(std::make_unique<Chain>("chain" + std::to_string(i), work.back()->config, work.back()->layer,
                                             work.back()->book, test::kStallGrid[i % 9]));
  }
  int quiet = 0;
  REQUIRE(bench.run_until([&] {
    for (std::size_t i = 0; i < chains.size(); ++i)
      if (!chains[i]->done(work[i]->expected.size())) return false;
    return ++quiet > 60;
  }));
  for (std::size_t i = 0; i < chains.size(); ++i) {
    INFO("layer " << i << ": " << print(work[i]->layer.job));
    work[i]->require(*chains[i]);
    REQUIRE(chains[i]->input_producer.freed_edges().size() == chains[i]->input_tiles.size());
    REQUIRE(chains[i]->weight_producer.freed_edges().size() == chains[i]->weight_tiles.size());
  }
}

// The layer is conv3 of AlexNet (docs/tiled.md) except for its channels: 13 x 13 points by 9 steps are 1,521 cycles per
// tile.
TEST_CASE("an AlexNet tile of 13 x 13 points and 9 steps takes 1521 cycles with values or without") {
  base::Random random(kSeed);
  test::Bench bench;
  tiled::TiledJob job = test::conv_job(12, 16, 13, 13, 3);
  job.instruction.padding = 1;
  job.out_rows = job.out_columns = job.tile_rows = job.tile_columns = 13;
  const Work work(config_of(8, 6), job, random);
  Chain chain("chain", work.config, work.layer, work.book),
      timing("timing", work.config, work.layer, work.book, {0, 0}, false);
  REQUIRE(bench.run_until([&] { return chain.done(2) && timing.done(2); }));
  work.require(chain);
  const auto& edges = chain.consumer.edges();
  CHECK(edges[1] - edges[0] == 2 * 1521);
  // Points are taken at 9 .. 3050 and complete at 3059; sums are read at 3060 .. 3228, and the output is complete at
  // 3237.
  CHECK(edges[0] == 3237 + 1);
  CHECK(test::count(chain.engine, "points") == 4 * 1521);
  // Jobs are popped at 2. Six words are read at 3 .. 8, so the first set is there at 9; the first point, read at 3, is
  // there at 6.
  CHECK(test::count(chain.engine, "weight_waits") == 9 - 6);
  CHECK(timing.consumer.edges() == edges);
}

}  // namespace fansim::tile_chain_test

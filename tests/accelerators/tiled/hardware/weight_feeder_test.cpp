// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/hardware/weight_feeder.h"

#include "accelerators/tiled/hardware/tiled_layer.h"
#include "support/blocks.h"
#include "support/halves.h"

namespace fansim::weight_feeder_test {

using tiled::Half;
using tiled::WeightFeeder;
using tiled::WeightSet;

namespace {

constexpr std::uint64_t kSeed = 72;

using test::at;

// A feeder between a producer of weight halves and a sink of sets.
struct Lane {
  Lane(const std::string& name, const tiled::EngineConfig& config, int engine, int per_word, int halves,
       const std::vector<test::TiledLayer>& layers, test::Stalls stalls)
      : store(halves, 4096),
        weights((name + "_weights").c_str()),
        freed((name + "_freed").c_str()),
        job((name + "_job").c_str()),
        sets((name + "_sets").c_str()),
        jobs((name + "_jobs").c_str()),
        sink((name + "_sink").c_str(), stalls.out),
        block((name + "_block").c_str(), config, engine, per_word, store) {
    const auto size = at(config.tm * config.tn);
    for (const test::TiledLayer& layer : layers) {
      jobs.add(layer.job);
      for (auto& tile : layer.weight_tiles()) {
        for (std::size_t i = 0; i < tile.size(); i += size) expected.emplace_back(&tile[i], &tile[i] + size);
        tiles.push_back(tile);
      }
    }
    producer = std::make_unique<test::HalfProducer>(
        (name + "_producer").c_str(), static_cast<int>(tiles.size()), halves,
        [this](int tile, int half) { std::copy(tiles[at(tile)].begin(), tiles[at(tile)].end(), store[half].begin()); },
        [this](int half) { std::fill(store[half].begin(), store[half].end(), std::uint16_t{999}); }, stalls.in);
    if (engine != tiled::Config::kFc) sets.hold_one();
    jobs.out(job);
    block.job(job);
    producer->filled(weights);
    block.weights(weights);
    producer->freed(freed);
    block.freed(freed);
    block.sets(sets);
    sink.in(sets);
  }

  bool done() const { return sink.count() >= expected.size() && producer->freed_edges().size() == tiles.size(); }
  void require() const {
    REQUIRE(sink.count() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) REQUIRE(sink.items()[i].codes == expected[i]);
    REQUIRE(!producer->out_of_turn());
  }

  tiled::TileStore<std::uint16_t> store;
  std::vector<std::vector<std::uint16_t>> tiles, expected;
  sim::Stream<Half> weights, freed;
  sim::Stream<tiled::TiledJob> job;
  sim::Stream<WeightSet> sets;
  test::Source<tiled::TiledJob> jobs;
  test::Sink<WeightSet> sink;
  WeightFeeder block;
  std::unique_ptr<test::HalfProducer> producer;
};

using Lanes = std::vector<std::unique_ptr<Lane>>;

void add_random(Lanes& lanes, const tiled::EngineConfig& config, int engine, int per_word, int halves,
                test::Stalls stalls, base::Random& random) {
  std::vector<test::TiledLayer> layers;
  for (int i = 0; i < 3; ++i) {
    tiled::TiledJob job =
        engine == tiled::Config::kFc ? test::random_fc(config, random) : test::random_conv(config, random);
    job.engine = engine;
    layers.push_back(test::layer_of(job, config, 8, 7, random));
  }
  lanes.push_back(
      std::make_unique<Lane>("lane" + std::to_string(lanes.size()), config, engine, per_word, halves, layers, stalls));
}

void run(test::Bench& bench, Lanes& lanes) {
  int quiet = 0;
  REQUIRE(bench.run_until([&] {
    for (auto& lane : lanes)
      if (!lane->done()) return false;
    return ++quiet > 40;
  }));
}

test::TiledLayer layer(const tiled::EngineConfig& config, int in_channels, int kernel) {
  base::Random random(kSeed);
  return test::layer_of(test::conv_job(in_channels, config.tm, kernel, kernel, kernel), config, 8, 7, random);
}

}  // namespace

TEST_CASE("weight sets come in the order of the steps of any engine from one half or two") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  Lanes lanes;
  for (const auto& [tm, tn] : {std::pair{4, 3}, {16, 8}, {2, 1}})
    for (const int halves : {1, 2}) {
      add_random(lanes, test::engine_of(tm, tn), tiled::Config::kConv, 32, halves, {0, 0}, random);
      add_random(lanes, test::engine_of(tm, tn), tiled::Config::kFc, 32, halves, {0, 0}, random);
    }
  run(bench, lanes);
  for (auto& lane : lanes) lane->require();
}

// There are 128 x 24 weights, 32 per word: four words per row, 96 per set.
TEST_CASE("a set is pushed when its last word has been read: tn x ceil(tm / per word) cycles after the half came") {
  test::Bench bench;
  const tiled::EngineConfig config = test::engine_of(128, 24), odd = test::engine_of(5, 3), fc = test::engine_of(8, 8);
  auto fc_layer = layer(fc, 8, 1);
  fc_layer.job.engine = tiled::Config::kFc;
  fc_layer.job.fc_block = 8;
  Lane wide("wide", config, 0, 32, 2, {layer(config, 24, 1)}, {0, 0});
  Lane narrow("narrow", odd, 0, 2, 2, {layer(odd, 3, 1)}, {0, 0});
  Lane whole("whole", fc, 2, 64, 2, {fc_layer}, {0, 0});
  for (Lane* lane : {&wide, &narrow, &whole}) lane->producer->not_before = 9;
  bench.run(200);
  const auto latency = [](const Lane& lane) { return lane.sink.edges().at(0) - 9 - 1; };  // from the token's pop
  CHECK(latency(wide) == 96);
  CHECK(latency(narrow) == 3 * 3);
  CHECK(latency(whole) == 1);
  CHECK(wide.producer->freed_edges().at(0) == wide.sink.edges()[0]);
  CHECK(test::count(wide.block, "words") == 96);
  CHECK(test::count(wide.block, "weight_waits") == 9 + 1 - 3);  // the job popped at 2
}

TEST_CASE("the feeder reads a word per cycle while a single shadow costs a cycle more per set and the FC engine none") {
  test::Bench bench;
  const tiled::EngineConfig config = test::engine_of(4, 3), fc = test::engine_of(8, 8);
  Lane conv("conv", config, 0, 2, 2, {layer(config, 9, 5)}, {0, 0});  // 75 sets of 6 words
  auto fc_layer = layer(fc, 240, 1);
  fc_layer.job.engine = tiled::Config::kFc;
  fc_layer.job.fc_block = 240;
  fc_layer.job.fc_steps = 5;
  Lane words("words", fc, 2, 64, 2, {fc_layer}, {0, 0});  // 30 sets in 6 tiles
  bench.run(700);
  REQUIRE(conv.sink.count() == 75);
  CHECK(conv.sink.edges().back() - conv.sink.edges().front() == 74 * (6 + 1));
  CHECK(test::count(conv.block, "words") == 75 * 6);
  REQUIRE(words.sink.count() == 30);
  CHECK(test::back_to_back(words.sink.edges()));
}

TEST_CASE("random stalls change no set and every cycle is a word or a wait or a stall") {
  INFO("seed " << kSeed);
  base::Random random(kSeed + 1);
  test::Bench bench;
  Lanes lanes;
  for (const test::Stalls& stalls : test::kStallGrid)
    add_random(lanes, test::engine_of(6, 2), stalls.in == 30 ? tiled::Config::kFc : tiled::Config::kConv, 4,
               stalls.out == 30 ? 1 : 2, stalls, random);
  std::vector<std::array<std::int64_t, 4>> states(lanes.size());
  std::int64_t edges = 0;
  bench.at_each_edge([&](sim::Edge edge) {
    if (edge == 1) return;
    ++edges;
    for (std::size_t i = 0; i < lanes.size(); ++i) ++states[i][at(static_cast<int>(lanes[i]->block.state()))];
  });
  run(bench, lanes);
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    lanes[i]->require();
    using State = WeightFeeder::State;
    const auto in = [&](State s) { return states[i][at(static_cast<int>(s))]; };
    REQUIRE(in(State::read) == test::count(lanes[i]->block, "words"));
    REQUIRE(in(State::wait_weights) == test::count(lanes[i]->block, "weight_waits"));
    REQUIRE(in(State::wait_output) == test::count(lanes[i]->block, "stalls"));
    REQUIRE(in(State::idle) + in(State::read) + in(State::wait_weights) + in(State::wait_output) == edges);
  }
}

TEST_CASE("with one level-1 half the next tile comes only after the last set was read") {
  test::Bench bench;
  const tiled::EngineConfig config = test::engine_of(4, 3);
  Lane one("one", config, 0, 4, 1, {layer(config, 6, 2)}, {0, 0}),
      two("two", config, 0, 4, 2, {layer(config, 6, 2)}, {0, 0});
  bench.run(100);
  // The job is popped at 2, words are read at 3 .. 5, the set is taken at 6, and the shadow is free at 7: four sets end
  // at 5, 9, 13 and 17.
  CHECK(one.producer->edges() == std::vector<sim::Edge>{1, 18});
  CHECK(two.producer->edges() == std::vector<sim::Edge>{1, 2});
  CHECK(one.sink.edges() == std::vector<sim::Edge>{6, 10, 14, 18, 22, 26, 30, 34});
  CHECK(two.sink.edges() == one.sink.edges());
}

TEST_CASE("a set beyond the weight half is a violation") {
  test::Bench bench;
  const tiled::EngineConfig config = test::engine_of(16, 16);
  test::TiledLayer large = layer(config, 16, 1);
  Lane lane("lane", config, 0, 32, 1, {large}, {0, 0});
  lane.store[0].resize(255);
  REQUIRE_THROWS_WITH(bench.run(50), Catch::Contains("lane_block: read beyond the weight half"));
}

}  // namespace fansim::weight_feeder_test

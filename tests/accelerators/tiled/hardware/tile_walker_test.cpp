// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/hardware/tile_walker.h"

#include "accelerators/tiled/hardware/tiled_layer.h"
#include "support/blocks.h"
#include "support/halves.h"

namespace fansim::tile_walker_test {

using tiled::Half;
using tiled::Point;
using tiled::TileWalker;

namespace {

constexpr std::uint64_t kSeed = 71;

using test::at;

// Puts a walker between a producer of input halves and a sink of points.
struct Lane {
  Lane(const std::string& name, const tiled::EngineConfig& config, int engine, const std::vector<test::TiledLayer>& of,
       int halves_of_sums, test::Stalls stalls)
      : store(config.halves(), at(config.input_words)),
        inputs((name + "_inputs").c_str()),
        freed((name + "_freed").c_str()),
        sums_freed((name + "_sums_freed").c_str()),
        job((name + "_job").c_str()),
        points((name + "_points").c_str()),
        jobs((name + "_jobs").c_str()),
        credits((name + "_credits").c_str(), {}, stalls.out),
        sink((name + "_sink").c_str(), stalls.out),
        block((name + "_block").c_str(), config, engine, store, halves_of_sums) {
    for (const test::TiledLayer& layer : of) {
      jobs.add(layer.job);
      for (auto& tile : layer.input_tiles()) tiles.push_back(tile);
    }
    producer = std::make_unique<test::HalfProducer>(
        (name + "_producer").c_str(), static_cast<int>(tiles.size()), config.halves(),
        [this](int tile, int half) { std::copy(tiles[at(tile)].begin(), tiles[at(tile)].end(), store[half].begin()); },
        [this](int half) { std::fill(store[half].begin(), store[half].end(), std::int16_t{-999}); }, stalls.in);
    jobs.out(job);
    block.job(job);
    producer->filled(inputs);
    block.inputs(inputs);
    producer->freed(freed);
    block.freed(freed);
    credits.out(sums_freed);
    block.sums_freed(sums_freed);
    block.points(points);
    sink.in(points);
  }

  tiled::TileStore<std::int16_t> store;
  std::vector<std::vector<std::int16_t>> tiles;
  sim::Stream<Half> inputs, freed, sums_freed;
  sim::Stream<tiled::TiledJob> job;
  sim::Stream<Point> points;
  test::Source<tiled::TiledJob> jobs;
  test::Source<Half> credits;
  test::Sink<Point> sink;
  TileWalker block;
  std::unique_ptr<test::HalfProducer> producer;
};

// Lists the points of a layer by loops over its output tiles; the halves of the sums alternate from tile to tile.
class Expected {
 public:
  explicit Expected(int sum_halves) : sum_halves_(sum_halves) {}

  void add(const test::TiledLayer& layer) { layer.fc_engine() ? add_fc(layer) : add_conv(layer); }

  void require(const std::vector<Point>& out, int tn) const {
    REQUIRE(out.size() == points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Point &e = points[i], &p = out[i];
      REQUIRE((p.entry == e.entry && p.half == e.half && p.new_set == e.new_set && p.first == e.first));
      REQUIRE(p.last == e.last);
      REQUIRE(std::equal(e.values.begin(), e.values.begin() + tn, p.values.begin()));
    }
  }
  std::vector<Point> points;

 private:
  void add_conv(const test::TiledLayer& layer) {
    const tiled::Instruction& i = layer.job.instruction;
    const int tn = layer.engine.tn, padding = i.fc() ? 0 : i.padding;
    for (int m = 0; m < i.out_channels; m += layer.engine.tm)
      for (const tiled::Region& out : layer.regions()) {
        const tiled::Region sums = layer.nest().sums(out);
        for (int n = 0; n < i.in_channels; n += tn)
          for (int kr = 0; kr < layer.job.kernel_rows(); ++kr)
            for (int kc = 0; kc < i.kernel; ++kc)
              for (int r = 0; r < sums.rows; ++r)
                for (int c = 0; c < sums.columns; ++c) {
                  Point& p = next(r * sums.columns + c, r + c == 0, n + kr + kc == 0);
                  for (int k = n; k < std::min(n + tn, i.in_channels); ++k)
                    p.values[at(k - n)] = static_cast<std::int16_t>(layer.in(
                        k, (sums.row + r) * i.stride - padding + kr, (sums.column + c) * i.stride - padding + kc));
                }
        end();
      }
  }

  void add_fc(const test::TiledLayer& layer) {
    const tiled::TiledJob& job = layer.job;
    const int channels = job.instruction.in_channels, tn = layer.engine.tn, slice = job.fc_steps * tn;
    for (int b = 0; b < channels; b += job.fc_block)
      for (int m = 0; m * layer.engine.tm * job.fc_groups < job.instruction.out_channels; ++m)
        for (int k = b; k < std::min(b + job.fc_block, channels); k += slice)
          for (int j = 0; j < job.fc_steps; ++j)
            for (int g = 0; g < job.fc_groups; ++g) {
              Point& p = next(m * job.fc_groups + g, true, b == 0 && k == 0 && j == 0);
              for (int i = k + j * tn; i < std::min({k + (j + 1) * tn, b + job.fc_block, channels}); ++i)
                p.values[at(i - k - j * tn)] = layer.map[at(i)];
            }
    end();
  }

  Point& next(int entry, bool new_set, bool first) {
    points.emplace_back();
    Point& p = points.back();
    p.values.fill(0);
    p.entry = entry;
    p.half = tile_ % sum_halves_;
    p.new_set = new_set;
    p.first = first;
    return p;
  }
  void end() {
    points.back().last = true;
    ++tile_;
  }

  const int sum_halves_;
  int tile_ = 0;
};

int output_tiles(const std::vector<test::TiledLayer>& layers) {
  std::size_t n = 0;
  for (const test::TiledLayer& layer : layers)
    n += layer.fc_engine() ? 1 : layer.regions().size() * at(layer.nest().m_tiles());
  return static_cast<int>(n);
}

// Draws layers for random stalls; a lane is complete when every point has reached its sink.
struct Work {
  void add(const tiled::EngineConfig& config, int engine, int layers, test::Stalls stalls, base::Random& random) {
    const int halves = engine == tiled::Config::kFc ? 1 : config.halves();
    std::vector<test::TiledLayer> of;
    expected.emplace_back(halves);
    for (int i = 0; i < layers; ++i) {
      tiled::TiledJob job =
          engine == tiled::Config::kFc ? test::random_fc(config, random) : test::random_conv(config, random);
      job.engine = engine;
      of.push_back(test::layer_of(job, config, 8, 8, random));
      expected.back().add(of.back());
    }
    lanes.push_back(std::make_unique<Lane>("lane" + std::to_string(lanes.size()), config, engine, of, halves, stalls));
    for (int i = halves; i < output_tiles(of); ++i) lanes.back()->credits.add({});
  }
  void run(test::Bench& bench) {
    REQUIRE(bench.run_until([&] {
      for (std::size_t i = 0; i < lanes.size(); ++i)
        if (lanes[i]->sink.count() < expected[i].points.size()) return false;
      return ++quiet > 40;
    }));
  }
  std::vector<std::unique_ptr<Lane>> lanes;
  std::vector<Expected> expected;
  int quiet = 0;
};

}  // namespace

TEST_CASE("points come in the order of the nest with their inputs and border and absent channels for any engine") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  Work work;
  for (const auto& [tm, tn] : {std::pair{4, 3}, {16, 8}, {2, 1}, {5, 24}}) {
    tiled::EngineConfig config = test::engine_of(tm, tn, 25 * 25 * tn + 40 * tn);
    for (const bool double_buffer : {true, false}) {
      config.double_buffer = double_buffer;
      work.add(config, tiled::Config::kConv, 3, {0, 0}, random);
      work.add(config, tiled::Config::kFc, 3, {0, 0}, random);
    }
  }
  work.run(bench);
  for (std::size_t i = 0; i < work.lanes.size(); ++i) {
    const Lane& lane = *work.lanes[i];
    work.expected[i].require(lane.sink.items(), i < 4 ? 3 : i < 8 ? 8 : i < 12 ? 1 : 24);
    REQUIRE(lane.producer->freed_edges().size() == lane.tiles.size());
    REQUIRE(!lane.producer->out_of_turn());
    REQUIRE(test::count(lane.block, "points") == static_cast<std::int64_t>(work.expected[i].points.size()));
  }
}

TEST_CASE("a point leaves input_latency() cycles after its read and at that read its half's token is popped") {
  base::Random random(kSeed);
  test::Bench bench;
  const tiled::EngineConfig config = test::engine_of(4, 3);
  const auto layer = test::layer_of(test::conv_job(3, 4, 2, 2, 1), config, 8, 8, random);
  Lane ready("ready", config, 0, {layer}, 2, {0, 0}), late("late", config, 0, {layer}, 2, {0, 0});
  ready.jobs.not_before = {20};  // popped at 21, the half has long been there: read at 22
  late.producer->not_before = 50;
  bench.run(100);
  const int latency = tiled::EngineConfig::input_latency();
  REQUIRE(ready.sink.count() == 4);
  CHECK(ready.sink.edges()[0] == 22 + latency + 1);
  CHECK(ready.producer->freed_edges() == std::vector<sim::Edge>{25 + 1});  // freed by the fourth read
  CHECK(late.sink.edges()[0] == 51 + latency + 1);
  CHECK(test::count(late.block, "input_waits") == 51 - 3);  // the job popped at 2
  CHECK(latency == 2);
}

TEST_CASE("the walker reads a point per cycle from tile to tile and from job to job") {
  base::Random random(kSeed);
  test::Bench bench;
  const tiled::EngineConfig config = test::engine_of(4, 3);
  const auto layer = test::layer_of(test::conv_job(6, 4, 7, 9, 3), config, 8, 8, random);
  Lane lane("lane", config, 0, {layer, layer}, 2, {0, 0});
  bench.run(1400);
  const std::int64_t points = 2 * 9 * 35;
  REQUIRE(lane.sink.count() == at(2 * points));
  CHECK(lane.sink.edges()[at(points - 1)] - lane.sink.edges()[0] == points - 1);
  CHECK(lane.sink.edges()[at(points)] - lane.sink.edges()[at(points - 1)] == 2);  // a job is popped between
  CHECK(lane.sink.edges().back() - lane.sink.edges()[at(points)] == points - 1);
}

TEST_CASE("random stalls of every stream change no point and every cycle is a read or a wait or a stall") {
  INFO("seed " << kSeed);
  base::Random random(kSeed + 1);
  test::Bench bench;
  Work work;
  const tiled::EngineConfig config = test::engine_of(4, 3, 4096);
  for (const test::Stalls& stalls : test::kStallGrid)
    work.add(config, stalls.in == 30 ? tiled::Config::kFc : tiled::Config::kFirst, 4, stalls, random);
  std::vector<std::array<std::int64_t, 5>> states(work.lanes.size());
  std::int64_t edges = 0;
  bench.at_each_edge([&](sim::Edge edge) {
    if (edge == 1) return;
    ++edges;
    for (std::size_t i = 0; i < states.size(); ++i) ++states[i][at(static_cast<int>(work.lanes[i]->block.state()))];
  });
  work.run(bench);
  for (std::size_t i = 0; i < work.lanes.size(); ++i) {
    work.expected[i].require(work.lanes[i]->sink.items(), 3);
    const TileWalker& block = work.lanes[i]->block;
    using State = TileWalker::State;
    const auto in = [&](State s) { return states[i][at(static_cast<int>(s))]; };
    REQUIRE(in(State::read) == test::count(block, "points"));
    REQUIRE(in(State::wait_input) == test::count(block, "input_waits"));
    REQUIRE(in(State::wait_sums) == test::count(block, "sums_waits"));
    REQUIRE(in(State::wait_output) == test::count(block, "stalls"));
    REQUIRE(in(State::idle) + in(State::read) + in(State::wait_input) + in(State::wait_sums) + in(State::wait_output) ==
            edges);
  }
}

TEST_CASE("a tile waits for free sums and a single-buffered input half is filled again only when it has been read") {
  base::Random random(kSeed);
  test::Bench bench;
  tiled::EngineConfig config = test::engine_of(4, 3);
  config.double_buffer = false;
  const auto layer = test::layer_of(test::conv_job(3, 8, 3, 3, 2), config, 8, 8, random);  // two tiles of 16 points
  Lane lane("lane", config, 0, {layer}, 1, {0, 0});
  lane.credits.add({}, 60);
  bench.run(200);
  REQUIRE(lane.sink.count() == 32);
  // Job popped at 2, reads at 3 .. 18, the half freed at 18 and filled again at 19; sums free from 61 on.
  CHECK(lane.sink.edges()[15] == 18 + 2 + 1);
  CHECK(lane.producer->edges() == std::vector<sim::Edge>{1, 19});
  CHECK(lane.sink.edges()[16] == 61 + 2 + 1);
  CHECK(test::count(lane.block, "sums_waits") == 61 - 20);
}

TEST_CASE("jobs of other engines pass by") {
  base::Random random(kSeed);
  test::Bench bench;
  const tiled::EngineConfig config = test::engine_of(4, 3);
  auto layer = test::layer_of(test::conv_job(3, 4, 2, 2, 1), config, 8, 8, random);
  layer.job.engine = tiled::Config::kFirst;
  Lane lane("lane", config, tiled::Config::kConv, {layer}, 2, {0, 0});
  bench.run(50);
  CHECK(lane.job.pops() == 1);
  CHECK(lane.sink.count() == 0);
}

}  // namespace fansim::tile_walker_test

// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/accumulator.h"

#include <map>

#include "sim/violation.h"
#include "support/blocks.h"

namespace fansim::accumulator_test {

using stream::Accumulator;
using stream::JobDone;
using stream::Sums;
using stream::Totals;

namespace {

constexpr std::uint64_t kSeed = 19;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

std::int32_t add32(std::int64_t a, std::int64_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a + b));
}

std::int32_t record_at(const std::vector<std::uint8_t>& bytes, int offset) {
  std::uint32_t v = 0;
  for (int i = 3; i >= 0; --i) v = v << 8 | bytes[at(offset + i)];
  return static_cast<std::int32_t>(v);
}

// Draws layers of two jobs: the first starts from the bias and stores, the second accumulates and sends. Each has
// several kernel blocks, any number of rows, groups and windows, and parallel rows.
struct Work {
  Work(const stream::ArrayConfig& array, int layers, const test::Memory& bias, base::Random& random)
      : config(array), jobs(at(2 * layers)) {
    for (int layer = 0; layer < layers; ++layer) {
      stream::Command shape;
      shape.rows = random.uniform(1, 3);
      shape.groups = random.uniform(1, 3);
      shape.windows = random.uniform(1, 6);
      shape.blocks = random.uniform(1, 3);
      shape.parallel = random.uniform(1, config.rows);
      shape.scale_per_channel = random.uniform(0, 1);
      shape.bias_select = random.uniform(0, 1);
      shape.bias_base = random.uniform(0, 60);
      const bool whole = random.chance(40);  // one job does it all
      std::map<std::tuple<int, int, int>, std::int32_t> stored;
      for (int half = whole ? 1 : 0; half < 2; ++half) {
        stream::Command& job = jobs[at(2 * layer + half)];
        job = shape;
        job.add_bias = half == 0 || whole;
        job.accumulate = !job.add_bias;
        job.last_round = half == 1;
        add_job(job, bias, stored, random);
      }
    }
  }

  void add_job(const stream::Command& job, const test::Memory& bias,
               std::map<std::tuple<int, int, int>, std::int32_t>& stored, base::Random& random) {
    for (int block = 0; block < job.blocks; ++block)
      for (int row = 0; row < job.rows; ++row)
        for (int group = 0; group < job.groups; ++group)
          for (int x = 0; x < job.windows; ++x) {
            Sums beat{};
            beat.tag.job = &job;
            beat.tag.entry = (row * job.groups + group) * job.windows + x;
            beat.tag.row = row;
            beat.tag.group = group;
            beat.tag.x = x;
            beat.tag.new_weights = x == 0;
            beat.tag.first = job.add_bias && block == 0;
            beat.tag.last = job.last_round && block + 1 == job.blocks;
            beat.tag.job_end =
                block + 1 == job.blocks && row + 1 == job.rows && group + 1 == job.groups && x + 1 == job.windows;
            for (std::int32_t& v : beat.values) v = static_cast<std::int32_t>(random.next());
            for (int p = 0; p < job.parallel; ++p) expect(beat, p, bias, stored);
            beats.push_back(beat);
          }
    ++jobs_done;
  }

  void expect(const Sums& beat, int p, const test::Memory& bias,
              std::map<std::tuple<int, int, int>, std::int32_t>& stored) {
    const stream::Command& job = *beat.tag.job;
    Totals total{};
    total.tag = beat.tag;
    total.tag.row = beat.tag.row * job.parallel + p;
    for (int o = 0; o < config.output_channels; ++o) {
      std::int32_t& sum = stored[{p, beat.tag.entry, o}];
      const int record = (job.bias_base + beat.tag.group) * config.output_channels + o;
      if (beat.tag.first) sum = record_at(bias.bytes[at(job.bias_select)], record * (job.scale_per_channel ? 8 : 4));
      sum = add32(sum, beat.values[at(p * config.output_channels + o)]);
      total.values[at(o)] = sum;
    }
    if (beat.tag.last) totals.push_back(total);
  }

  void require(const std::vector<Totals>& out) const {
    REQUIRE(out.size() == totals.size());
    for (std::size_t k = 0; k < out.size(); ++k) {
      REQUIRE(out[k].tag.job == totals[k].tag.job);
      REQUIRE(out[k].tag.row == totals[k].tag.row);
      REQUIRE(out[k].tag.group == totals[k].tag.group);
      REQUIRE(out[k].tag.x == totals[k].tag.x);
      for (int o = 0; o < config.output_channels; ++o) REQUIRE(out[k].values[at(o)] == totals[k].values[at(o)]);
    }
  }

  stream::ArrayConfig config;
  std::vector<stream::Command> jobs;
  std::vector<Sums> beats;
  std::vector<Totals> totals;
  std::size_t jobs_done = 0;
};

// Contains an accumulator and its second output.
struct Units {
  explicit Units(test::Bench& bench) : lanes(bench, &Accumulator::sums, &Accumulator::totals) {}
  auto& add(const std::vector<Sums>& beats, std::size_t totals, test::Stalls stalls, const stream::ArrayConfig& config,
            test::Memory& bias) {
    auto& lane = lanes.add(beats, totals, stalls, config, bias);
    const std::string name = fmt::format("done{}", lanes.size());
    streams.push_back(std::make_unique<sim::Stream<JobDone>>(name.c_str()));
    sinks.push_back(std::make_unique<test::Sink<JobDone>>((name + "_sink").c_str(), stalls.out));
    lane.block.done(*streams.back());
    sinks.back()->in(*streams.back());
    return lane;
  }
  test::Lanes<Accumulator, Sums, Totals> lanes;
  std::vector<std::unique_ptr<sim::Stream<JobDone>>> streams;
  std::vector<std::unique_ptr<test::Sink<JobDone>>> sinks;
};

Sums last_beat(const stream::Command& job, int x) {
  Sums beat{};
  beat.tag.job = &job;
  beat.tag.first = beat.tag.last = true;
  beat.tag.new_weights = x == 0;
  beat.tag.x = beat.tag.entry = x;
  return beat;
}

}  // namespace

TEST_CASE("totals are bias plus every sum of their entry modulo 2^32 across blocks and jobs for any array") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Memory bias;
  bias.randomise(random);
  test::Bench bench;
  Units units(bench);
  std::vector<std::unique_ptr<Work>> work;
  for (const stream::ArrayConfig& config : test::array_shapes()) {
    work.push_back(std::make_unique<Work>(config, 12, bias, random));
    units.add(work.back()->beats, work.back()->totals.size(), {0, 0}, config, bias);
  }
  units.lanes.run();
  for (std::size_t i = 0; i < work.size(); ++i) {
    work[i]->require(units.lanes[i].sink.items());
    REQUIRE(units.sinks[i]->count() == work[i]->jobs_done);
    REQUIRE(test::count(units.lanes[i].block, "totals") == static_cast<std::int64_t>(work[i]->totals.size()));
  }
}

TEST_CASE("a total leaves two cycles after its sums and a job is done at the edge that takes its last beat") {
  test::Memory bias;
  test::Bench bench;
  Units units(bench);
  const stream::Command job;
  auto& lane = units.add({}, 2, {0, 0}, test::array_of(3, 3, 8, 8), bias);
  Sums beat = last_beat(job, 0);
  lane.source.add(beat, 5);
  beat.tag.job_end = true;
  lane.source.add(beat, 50);
  units.lanes.run();
  for (std::size_t k = 0; k < 2; ++k) CHECK(lane.latency(k, k) == stream::ArrayConfig::accumulator_latency());
  CHECK(units.sinks[0]->edges() == std::vector<sim::Edge>{52});
}

TEST_CASE("the accumulator takes a beat per cycle and on the last round sends one total per cycle") {
  test::Memory bias;
  test::Bench bench;
  Units units(bench);
  std::vector<stream::Command> jobs(4);
  for (int parallel = 1; parallel <= 4; ++parallel) {
    stream::Command& job = jobs[at(parallel - 1)];
    job.parallel = parallel;
    std::vector<Sums> beats;
    for (int x = 0; x < 120; ++x) beats.push_back(last_beat(job, x));
    for (int x = 0; x < 120; ++x) {
      Sums stored = last_beat(job, x);
      stored.tag.last = false;
      beats.push_back(stored);
    }
    units.add(beats, at(120 * parallel), {0, 0}, test::array_of(6, 6, 8, 8), bias);
  }
  units.lanes.run();
  for (std::size_t i = 0; i < 4; ++i) {
    const test::Account& a = units.lanes[i].account;
    REQUIRE(test::back_to_back(units.lanes[i].sink.edges()));
    REQUIRE(a.beats == 240);
    REQUIRE(a.unexplained == 120 * static_cast<std::int64_t>(i));  // one cycle for each further row of a last beat
  }
}

TEST_CASE("random stalls change no total and lose no job's end and every cycle is accounted for") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Memory bias;
  bias.randomise(random);
  test::Bench bench;
  Units units(bench);
  const stream::ArrayConfig config = test::array_of(5, 5, 4, 8);
  const Work work(config, 15, bias, random);
  for (const test::Stalls& stalls : test::kStallGrid) units.add(work.beats, work.totals.size(), stalls, config, bias);
  units.lanes.run();
  std::int64_t last_beats = 0;
  for (const Sums& beat : work.beats) last_beats += beat.tag.last;
  const auto further_rows = static_cast<std::int64_t>(work.totals.size()) - last_beats;
  for (std::size_t i = 0; i < units.lanes.size(); ++i) {
    work.require(units.lanes[i].sink.items());
    REQUIRE(units.sinks[i]->count() == work.jobs_done);
    const test::Account& a = units.lanes[i].account;
    REQUIRE(a.contradictions == 0);
    REQUIRE(a.beats == test::count(units.lanes[i].block, "beats"));
    REQUIRE(a.beats + a.stalls + a.bubbles + a.unexplained == a.edges);
    REQUIRE(a.unexplained == further_rows);
  }
}

TEST_CASE("the accumulator takes no job's last beat while nobody hears of the jobs before") {
  test::Memory bias;
  test::Bench bench;
  Units units(bench);
  const stream::Command job;
  Sums end = last_beat(job, 0);
  end.tag.job_end = true;
  units.add({last_beat(job, 0), end, end, end, end}, 5, {0, 0}, test::array_of(3, 3, 8, 8), bias);
  units.sinks[0]->not_before = 100;
  units.lanes.run();
  CHECK(units.sinks[0]->count() == 4);
  CHECK(units.lanes[0].sink.edges()[2] < 20);  // two ends fit the stream
  CHECK(units.lanes[0].sink.edges()[3] > 100);
}

TEST_CASE("a partial-sum entry beyond the accumulator's depth is a violation") {
  test::Memory bias;
  test::Bench bench;
  Units units(bench);
  stream::ArrayConfig config = test::array_of(3, 3, 8, 8);
  config.accumulator_depth = 16;
  const stream::Command job;
  units.add({last_beat(job, 15), last_beat(job, 16)}, 1, {0, 0}, config, bias);
  REQUIRE_THROWS_WITH(bench.run(50), Catch::Contains("lane0_block: partial-sum entry beyond accumulator_depth"));
}

TEST_CASE("rows in parallel share the accumulator's banks: going beyond a row's share is a violation") {
  test::Memory bias;
  test::Bench bench;
  Units units(bench);
  stream::ArrayConfig config = test::array_of(6, 6, 8, 8);
  config.accumulator_depth = 48;  // six banks of eight
  stream::Command job;
  job.parallel = 2;  // three banks a row
  units.add({last_beat(job, 23), last_beat(job, 24)}, 2, {0, 0}, config, bias);
  REQUIRE_THROWS_WITH(bench.run(50), Catch::Contains("lane0_block: partial-sum entry beyond accumulator_depth"));
  CHECK(test::count(units.lanes[0].block, "beats") == 1);
}

}  // namespace fansim::accumulator_test

// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/output_store.h"

#include "support/blocks.h"

namespace fansim::output_store_test {

using stream::OutputStore;
using stream::Pixel;

namespace {

constexpr std::uint64_t kSeed = 21;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Draws jobs with their pixels in the order in which the accumulator produces them, including rows beyond the tile.
struct Work {
  Work(const stream::ArrayConfig& array, int jobs_wanted, bool hidden, base::Random& random)
      : config(array), jobs(at(jobs_wanted)) {
    for (stream::Command& job : jobs) {
      job.output_select = random.uniform(0, 1);
      job.recurrent_output = hidden;
      const int groups = random.uniform(1, 4);
      job.groups = hidden ? 4 * groups : groups;
      job.tile_rows = random.uniform(1, 4);
      job.output_columns = hidden ? 1 : random.uniform(1, 6);
      const int rows = job.tile_rows + (hidden ? 0 : random.uniform(0, 2));
      for (int row = 0; row < rows; ++row)
        for (int group = 0; group < groups; ++group)
          for (int x = 0; x < job.output_columns; ++x) {
            Pixel pixel{};
            pixel.tag.job = &job;
            pixel.tag.row = row;
            pixel.tag.group = group;
            pixel.tag.x = x;
            for (std::uint8_t& byte : pixel.bytes) byte = static_cast<std::uint8_t>(random.uniform(0, 255));
            pixels.push_back(pixel);
            if (row >= job.tile_rows) ++dropped;
          }
    }
  }

  // A tile is rows of planes of columns of words, a word being the channels the array takes at once.
  std::vector<std::uint8_t> tile(std::size_t j) const {
    const stream::Command& job = jobs[j];
    const int ci = config.input_channels, co = config.output_channels;
    const int channels = (job.recurrent_output ? job.groups / 4 : job.groups) * co;
    std::vector<std::uint8_t> bytes(at(job.tile_rows * channels * job.output_columns));
    for (const Pixel& pixel : pixels) {
      if (pixel.tag.job != &job || pixel.tag.row >= job.tile_rows) continue;
      for (int o = 0; o < co; ++o) {
        const int channel = pixel.tag.group * co + o;
        const int word = (pixel.tag.row * (channels / ci) + channel / ci) * job.output_columns + pixel.tag.x;
        bytes[at(word * ci + channel % ci)] = pixel.bytes[at(o)];
      }
    }
    return bytes;
  }

  stream::ArrayConfig config;
  std::vector<stream::Command> jobs;
  std::vector<Pixel> pixels;
  std::int64_t dropped = 0;
};

// A store fed through one of its inputs, and the halves it fills; a tile is compared when it is reported.
struct Rig {
  Rig(const std::string& name, const Work& w, bool hidden, test::Stalls stalls)
      : work(w),
        fed((name + "_in").c_str()),
        unused((name + "_unused").c_str()),
        tiles((name + "_tiles").c_str()),
        source((name + "_source").c_str(), w.pixels, stalls.in),
        sink((name + "_sink").c_str(), stalls.out),
        store((name + "_store").c_str(), w.config, buffer) {
    source.out(fed);
    sink.in(tiles);
    store.tiles(tiles);
    store.map(hidden ? unused : fed);
    store.hidden(hidden ? fed : unused);
  }
  // Before each edge, compares the tile that was completed at the edge before, while nothing has been written over it.
  void observe() {
    if (buffer.completed.size() == checked) return;
    const stream::Command& job = work.jobs[checked];
    const auto expected = work.tile(checked);
    const auto& half = buffer.bytes[at(job.output_select)];
    wrong += buffer.completed[checked] != job.output_select || buffer.completed.size() != checked + 1 ||
             !std::equal(expected.begin(), expected.end(), half.begin());
    ++checked;
  }
  bool done() const { return source.done() && fed.occupancy() == 0 && sink.count() == work.jobs.size(); }

  const Work& work;
  test::Memory buffer;
  sim::Stream<Pixel> fed, unused;
  sim::Stream<stream::Tile> tiles;
  test::Source<Pixel> source;
  test::Sink<stream::Tile> sink;
  OutputStore store;
  std::size_t checked = 0;
  int wrong = 0;
};

std::vector<stream::ArrayConfig> shapes() {
  return {test::array_of(3, 3, 8, 8), test::array_of(5, 5, 4, 8), test::array_of(1, 1, 8, 16),
          test::array_of(1, 1, 1, 2)};
}

void run(test::Bench& bench, std::vector<std::unique_ptr<Rig>>& rigs) {
  bench.at_each_edge([&](sim::Edge) {
    for (auto& rig : rigs) rig->observe();
  });
  REQUIRE(
      bench.run_until([&] { return std::all_of(rigs.begin(), rigs.end(), [](auto& rig) { return rig->done(); }); }));
}

void require_stored(const Rig& rig) {
  REQUIRE(rig.checked == rig.work.jobs.size());
  REQUIRE(rig.wrong == 0);
  const auto pixels = static_cast<std::int64_t>(rig.work.pixels.size());
  REQUIRE(test::count(rig.store, "dropped") == rig.work.dropped);
  REQUIRE(test::count(rig.store, "pixels") + test::count(rig.store, "dropped") == pixels);
  for (std::size_t j = 0; j < rig.work.jobs.size(); ++j) {
    REQUIRE(rig.sink.items()[j].half == rig.work.jobs[j].output_select);
    REQUIRE(rig.sink.items()[j].job.tile_rows == rig.work.jobs[j].tile_rows);
  }
}

}  // namespace

TEST_CASE("pixels become tiles as the next layer reads them and rows beyond the tile are dropped under random stalls") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  std::vector<std::unique_ptr<Work>> work;
  std::vector<std::unique_ptr<Rig>> rigs;
  for (const stream::ArrayConfig& config : shapes())
    for (bool hidden : {false, true})
      for (const test::Stalls& stalls : test::kStallGrid) {
        work.push_back(std::make_unique<Work>(config, 12, hidden, random));
        rigs.push_back(std::make_unique<Rig>(fmt::format("rig{}", rigs.size()), *work.back(), hidden, stalls));
      }
  run(bench, rigs);
  for (auto& rig : rigs) require_stored(*rig);
}

TEST_CASE("the store takes one pixel per cycle and a pixel is in the buffer at the edge that takes it") {
  test::Bench bench;
  base::Random random(kSeed);
  Work work(test::array_of(3, 3, 8, 8), 1, false, random);
  stream::Command& job = work.jobs[0];
  job.tile_rows = 1;
  job.groups = 1;
  job.output_columns = 150;
  work.pixels.assign(150, Pixel{});
  for (int x = 0; x < 150; ++x) {
    work.pixels[at(x)].tag.job = &job;
    work.pixels[at(x)].tag.x = x;
  }
  Rig rig("rig", work, false, {0, 0});
  std::vector<sim::Edge> writes;
  bench.at_each_edge([&](sim::Edge now) {
    if (rig.buffer.writes > static_cast<int>(writes.size())) writes.push_back(now - 1);
  });
  REQUIRE(bench.run_until([&] { return rig.sink.count() == 1; }));
  REQUIRE(writes.size() == 150);
  for (std::size_t k = 0; k < 150; ++k) REQUIRE(writes[k] == rig.source.edges()[k] + 1);
  CHECK(test::back_to_back(writes));
  CHECK(rig.sink.edges()[0] == writes.back() + 1);
}

TEST_CASE("the store takes no pixel while a tile report cannot leave and loses none") {
  test::Bench bench;
  base::Random random(kSeed);
  Work work(test::array_of(3, 3, 8, 8), 6, false, random);
  for (stream::Command& job : work.jobs) job.tile_rows = job.groups = job.output_columns = 1;
  work.pixels.clear();
  work.dropped = 0;
  for (stream::Command& job : work.jobs) {
    Pixel pixel{};
    pixel.tag.job = &job;
    work.pixels.push_back(pixel);
  }
  Rig rig("rig", work, false, {0, 0});
  rig.sink.not_before = 100;
  int early = 0;
  bench.at_each_edge([&](sim::Edge now) {
    if (now == 90) early = rig.buffer.writes;
  });
  REQUIRE(bench.run_until([&] { return rig.sink.count() == 6; }));
  CHECK(early == 2);
  CHECK(rig.buffer.writes == 6);
}

}  // namespace fansim::output_store_test

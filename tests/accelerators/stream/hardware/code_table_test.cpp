// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/code_table.h"

#include "support/blocks.h"

namespace fansim::code_table_test {

using stream::CodeTableUnit;
using stream::Pixel;
using stream::TableWrite;

namespace {

constexpr std::uint64_t kSeed = 71;

// The unit with its writes, between a source and a sink. Writes come edge after edge, so all pixels come behind them.
struct Rig {
  Rig(const std::string& n, std::vector<Pixel> items, std::vector<TableWrite> writes, test::Stalls stalls = {0, 0},
      const stream::ArrayConfig& config = test::array_of(3, 3, 8, 8))
      : in((n + "_in").c_str()),
        out((n + "_out").c_str()),
        entries((n + "_entries").c_str()),
        source((n + "_source").c_str(), std::move(items), stalls.in),
        writer((n + "_writer").c_str(), std::move(writes)),
        sink((n + "_sink").c_str(), stalls.out),
        block((n + "_block").c_str(), config),
        account(block, in, out) {
    source.out(in);
    block.in(in);
    writer.out(entries);
    block.entries(entries);
    block.out(out);
    sink.in(out);
  }

  sim::Stream<Pixel> in, out;
  sim::Stream<TableWrite> entries;
  test::Source<Pixel> source;
  test::Source<TableWrite> writer;
  test::Sink<Pixel> sink;
  CodeTableUnit block;
  test::Account account;
};

struct Jobs {
  Jobs() { looking_up.by_table = 1; }
  stream::Command looking_up, passing;
};

std::vector<Pixel> random_pixels(const Jobs& jobs, int n, base::Random& random) {
  std::vector<Pixel> pixels(static_cast<std::size_t>(n));
  for (Pixel& pixel : pixels) {
    pixel.tag.job = random.chance(60) ? &jobs.looking_up : &jobs.passing;
    pixel.tag.x = random.uniform(0, 1000);
    for (std::uint8_t& byte : pixel.bytes) byte = static_cast<std::uint8_t>(random.next());
  }
  return pixels;
}

stream::CodeTable random_table(base::Random& random) {
  stream::CodeTable table;
  for (std::uint8_t& entry : table) entry = static_cast<std::uint8_t>(random.next());
  return table;
}

std::vector<TableWrite> writes_of(const stream::CodeTable& table) {
  std::vector<TableWrite> writes;
  for (int pair = 0; pair < TableWrite::kPairs; ++pair) writes.push_back(TableWrite::at(table, pair));
  return writes;
}

void require_looked_up(const std::vector<Pixel>& in, const std::vector<Pixel>& out, const stream::CodeTable& table,
                       int channels) {
  REQUIRE(out.size() == in.size());
  for (std::size_t k = 0; k < in.size(); ++k) {
    REQUIRE(out[k].tag.x == in[k].tag.x);
    for (std::size_t o = 0; o < static_cast<std::size_t>(channels); ++o) {
      const std::uint8_t code = in[k].bytes[o];
      REQUIRE(out[k].bytes[o] == (in[k].tag.job->by_table ? table[code] : code));
    }
  }
}

}  // namespace

TEST_CASE("the code table gives every code of every channel its entry and passes on what is not looked up") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  const Jobs jobs;
  const stream::CodeTable table = random_table(random);
  const std::vector<Pixel> items = random_pixels(jobs, 600, random);
  std::vector<std::unique_ptr<Rig>> rigs;
  for (const stream::ArrayConfig& config : test::array_shapes())
    rigs.push_back(
        std::make_unique<Rig>(fmt::format("rig{}", rigs.size()), items, writes_of(table), test::Stalls{0, 0}, config));
  REQUIRE(bench.run_until([&] { return rigs.back()->sink.count() == items.size(); }));
  for (std::size_t i = 0; i < rigs.size(); ++i)
    require_looked_up(items, rigs[i]->sink.items(), table, test::array_shapes()[i].output_channels);
}

TEST_CASE("the code table takes one cycle and a pixel per cycle") {
  base::Random random(kSeed);
  test::Bench bench;
  const Jobs jobs;
  Rig rig("rig", random_pixels(jobs, 160, random), {});
  REQUIRE(bench.run_until([&] { return rig.sink.count() == 160; }));
  for (std::size_t k = 0; k < 160; ++k) REQUIRE(rig.sink.edges()[k] - rig.source.edges()[k] - 2 == 1);
  CHECK(CodeTableUnit::kLatency == 1);
  CHECK(test::back_to_back(rig.sink.edges()));
}

TEST_CASE("no pixel is taken at an edge that takes a write") {
  base::Random random(kSeed);
  test::Bench bench;
  const Jobs jobs;
  Rig rig("rig", random_pixels(jobs, 100, random), writes_of(random_table(random)));
  REQUIRE(bench.run_until([&] { return rig.sink.count() == 100; }));
  CHECK(rig.sink.edges().front() - rig.source.edges().front() - 2 == 1 + TableWrite::kPairs);
  CHECK(test::count(rig.block, "writes") == TableWrite::kPairs);
}

TEST_CASE("random stalls change no code and every cycle of the code table is accounted for") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  const Jobs jobs;
  const stream::CodeTable table = random_table(random);
  const std::vector<Pixel> items = random_pixels(jobs, 400, random);
  std::vector<std::unique_ptr<Rig>> rigs;
  for (const test::Stalls& stalls : test::kStallGrid)
    rigs.push_back(std::make_unique<Rig>(fmt::format("rig{}", rigs.size()), items, writes_of(table), stalls));
  bench.at_each_edge([&](sim::Edge) {
    for (auto& rig : rigs) rig->account.observe();
  });
  REQUIRE(bench.run_until([&] {
    for (auto& rig : rigs)
      if (rig->sink.count() < items.size()) return false;
    return true;
  }));
  for (auto& rig : rigs) {
    require_looked_up(items, rig->sink.items(), table, 8);
    const test::Account& a = rig->account;
    CHECK(a.contradictions == 0);
    CHECK(a.unexplained <= TableWrite::kPairs);  // a write took the edge
    CHECK(a.beats == test::count(rig->block, "pixels"));
    CHECK(a.beats + a.stalls + a.bubbles + a.unexplained == a.edges);
  }
}

TEST_CASE("an entry written again is the new one and pairs are independent") {
  base::Random random(kSeed);
  test::Bench bench;
  const Jobs jobs;
  stream::CodeTable table = random_table(random);
  std::vector<TableWrite> writes = writes_of(table);
  for (const int pair : {0, 64, 127}) {
    table[static_cast<std::size_t>(2 * pair)] ^= 0xff;
    table[static_cast<std::size_t>(2 * pair + 1)] ^= 0x0f;
    writes.push_back(TableWrite::at(table, pair));
  }
  const std::vector<Pixel> items = random_pixels(jobs, 300, random);
  std::vector<std::unique_ptr<Rig>> rigs;
  rigs.push_back(std::make_unique<Rig>("rig", items, writes));
  REQUIRE(bench.run_until([&] { return rigs.front()->sink.count() == items.size(); }));
  require_looked_up(items, rigs.front()->sink.items(), table, 8);
}

}  // namespace fansim::code_table_test

// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/hardware/map_encoder.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <deque>
#include <memory>

#include "support/encoded.h"
#include "support/stream_bench.h"

namespace fansim::map_encoder_test {

using tiled::Half;
using tiled::MapEncoder;

namespace {

constexpr std::size_t kHalf = 2000;
using Tile = std::vector<std::int16_t>;

// Fills free halves with tiles, one per edge, and spoils a half as soon as it is freed.
class Producer final : public sim::Module {
 public:
  sim::StreamOut<Half> filled{"filled"};
  sim::StreamIn<Half> freed{"freed"};

  Producer(const sc_core::sc_module_name& name, tiled::TileStore<std::int16_t>& store, int stall)
      : Module(name), store_(store), stall_(stall) {
    for (int i = 0; i < 2; ++i)
      if (!store[i].empty()) free_.push_back(i);
  }
  std::vector<Tile> tiles;
  std::vector<sim::Edge> edges;  // of every half freed

 private:
  void step() override {
    if (!free_.empty() && next_ < tiles.size() && filled.can_push() && !random_.chance(stall_)) {
      std::copy(tiles[next_].begin(), tiles[next_].end(), store_[free_.front()].begin());
      filled.push({free_.front()});
      free_.pop_front();
      ++next_;
    }
    if (!freed.can_pop() || random_.chance(stall_)) return;
    free_.push_back(freed.pop().index);
    edges.push_back(now());
    std::fill(store_[free_.back()].begin(), store_[free_.back()].end(), std::int16_t{0x5555});
  }
  tiled::TileStore<std::int16_t>& store_;
  const int stall_;
  base::Random random_{5};
  std::deque<int> free_;
  std::size_t next_ = 0;
};

struct Rig : sc_core::sc_module {
  Rig(const sc_core::sc_module_name& name, const tiled::Encoding& encoding, int halves = 2, int stall = 0,
      bool values = true)
      : sc_module(name),
        e(encoding),
        store(halves, kHalf),
        source("source", {}, stall),
        encoder("encoder", e, store, values),
        producer("producer", store, stall),
        sink("sink", stall) {
    source.out(runs);
    encoder.runs(runs);
    producer.filled(filled);
    encoder.filled(filled);
    encoder.freed(freed);
    producer.freed(freed);
    encoder.beats(beats);
    sink.in(beats);
  }
  void add_run(Tile& tile, int skip, int values, bool last) {
    source.add({0, static_cast<int>(e.beats(skip + values)), skip, values, last});
    const std::vector<int> places = test::places(e);
    for (int i = 0; i < values; skip = 0) {
      tiled::ExtentBeat beat;
      for (int at = skip; at < e.per_beat() && i < values; ++at, ++i) {
        const int bit = places[static_cast<std::size_t>(at)];
        tile.push_back(static_cast<std::int16_t>(random.uniform(-32768, 32767)));
        test::set_bits(beat.data.data(), bit, e.value_bits, static_cast<std::uint16_t>(tile.back()));
        for (int b = bit; b < bit + e.slot_bits; ++b) beat.strobe |= std::uint64_t{1} << b / 8;
      }
      beat.last = i == values;
      expected.push_back(beat);
    }
  }
  // Runs that begin at any byte and make a tile.
  void add_tile(int runs_of_tile, int longest = 100) {
    producer.tiles.emplace_back();
    for (int run = 0; run < runs_of_tile; ++run) {
      int skip = random.uniform(0, e.per_beat() - 1);
      while (e.bit_of(skip) % 8 != 0) --skip;
      add_run(producer.tiles.back(), skip, random.uniform(1, longest), run + 1 == runs_of_tile);
    }
  }
  bool done() const { return sink.count() == expected.size() && producer.edges.size() == producer.tiles.size(); }

  const tiled::Encoding e;
  tiled::TileStore<std::int16_t> store;
  sim::Stream<tiled::Extent> runs{"runs"};
  sim::Stream<Half> filled{"filled"};
  sim::Stream<Half> freed{"freed"};
  sim::Stream<tiled::ExtentBeat> beats{"beats"};
  test::Source<tiled::Extent> source;
  MapEncoder encoder;
  Producer producer;
  test::Sink<tiled::ExtentBeat> sink;
  base::Random random{9};
  std::vector<tiled::ExtentBeat> expected;
};

std::string violation(const tiled::Extent& run) {
  test::Bench bench;
  Rig rig("rig", tiled::graded(3, 32, 64, true));
  rig.source.add(run);
  rig.producer.tiles.emplace_back(20);
  try {
    bench.run(20);
  } catch (const sim::Violation& broken) {
    return broken.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("the map encoder packs the values of a half and strobes their bytes alone under any stalls") {
  test::Bench bench;
  std::vector<std::unique_ptr<Rig>> rigs;
  for (const tiled::Encoding& e : test::encodings())
    for (int stall : {0, 30, 70})
      for (int halves : {1, 2}) {
        rigs.push_back(std::make_unique<Rig>(fmt::format("rig{}", rigs.size()).c_str(), e, halves, stall));
        for (int i = 0; i < 6; ++i) rigs.back()->add_tile(i + 1);
      }
  REQUIRE(bench.run_until(
      [&] { return std::all_of(rigs.begin(), rigs.end(), [](const auto& rig) { return rig->done(); }); }));
  for (const auto& rig : rigs) {
    INFO(fmt::format("l {}, q {}, h {}", rig->e.value_bits, rig->e.word_bits, rig->e.beat_bits));
    for (std::size_t i = 0; i < rig->expected.size(); ++i) {
      REQUIRE(rig->sink.items()[i].data == rig->expected[i].data);
      REQUIRE(rig->sink.items()[i].strobe == rig->expected[i].strobe);
      REQUIRE(rig->sink.items()[i].last == rig->expected[i].last);
    }
    CHECK(test::counter(rig->encoder, "tiles") == 6);
    CHECK(test::counter(rig->encoder, "beats") == static_cast<std::int64_t>(rig->expected.size()));
  }
}

TEST_CASE(
    "the map encoder's first beat leaves read_latency() after its run is popped and the last read frees the half") {
  test::Bench bench;
  Rig rig("rig", tiled::graded(8, 32, 64, true));
  rig.producer.tiles.emplace_back();
  rig.add_run(rig.producer.tiles.back(), 5, 20, true);
  bench.run(20);
  // Run and half, pushed at 1, are popped at 2; four reads at 2 to 5.
  CHECK(rig.sink.edges() == std::vector<sim::Edge>{5, 6, 7, 8});
  CHECK(rig.sink.edges().front() == 2 + tiled::StoreConfig::read_latency() + 1);
  CHECK(rig.producer.edges == std::vector<sim::Edge>{6});
}

TEST_CASE("the map encoder sends a beat per cycle from run to run and from half to half") {
  test::Bench bench;
  Rig rig("rig", tiled::graded(3, 32, 128, true));
  for (int tile = 0; tile < 10; ++tile) {
    rig.producer.tiles.emplace_back();
    for (int run = 0; run < 10; ++run) rig.add_run(rig.producer.tiles.back(), 8, 48, run == 9);
  }
  REQUIRE(bench.run_until([&] { return rig.done(); }));
  REQUIRE(rig.sink.count() == 200);
  CHECK(rig.sink.edges().back() - rig.sink.edges().front() == 199);
}

TEST_CASE("every cycle of the map encoder is a beat or a stall or a wait") {
  test::Bench bench;
  Rig rig("rig", tiled::graded(8, 32, 32, true), 1);
  for (int i = 0; i < 10; ++i) rig.add_tile(2);
  rig.sink.not_before = 70;
  REQUIRE(bench.run_until([&] { return rig.done(); }));
  const auto count = [&](const char* name) { return test::counter(rig.encoder, name); };
  // From the first read, at 2, to the last, one edge before its half is seen free.
  CHECK(2 + count("beats") + count("stalls") + count("waits") == rig.producer.edges.back());
  CHECK(count("stalls") > 0);
  CHECK(count("waits") == 9 * 2);
}

TEST_CASE("the map encoder without values sends the same beats at the same cycles with no data") {
  test::Bench bench;
  const tiled::Encoding e = tiled::graded(5, 32, 64, true);
  Rig with("with", e), without("without", e, 2, 0, false);
  for (int i = 0; i < 10; ++i) {
    with.add_tile(3);
    without.add_tile(3);
  }
  REQUIRE(bench.run_until([&] { return with.done() && without.done(); }));
  CHECK(with.sink.edges() == without.sink.edges());
  for (std::size_t i = 0; i < with.sink.count(); ++i) {
    REQUIRE(without.sink.items()[i].strobe == with.sink.items()[i].strobe);
    REQUIRE(without.sink.items()[i].last == with.sink.items()[i].last);
    REQUIRE(without.sink.items()[i].data == tiled::ExtentBeat{}.data);
  }
}

TEST_CASE("a run of fewer beats than its values take is a violation of the map encoder's") {
  CHECK(violation({0, 1, 8, 13, true}) == "rig.encoder: a run of 13 values after 8 in 1 beats, cycle 2");
}

TEST_CASE("a run that begins within a byte is a violation of the map encoder's") {
  CHECK(violation({0, 1, 3, 5, true}) == "rig.encoder: a run of 5 values after 3 in 1 beats, cycle 2");
}

TEST_CASE("a run beyond the half is a violation of the map encoder's") {
  CHECK(violation({0, 101, 0, 2010, true}) == "rig.encoder: a tile of 2010 values in a half of 2000, cycle 2");
}

}  // namespace fansim::map_encoder_test

// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/hardware/map_decoder.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "accelerators/tiled/config/packing.h"
#include "support/decoder_rig.h"

namespace fansim::map_decoder_test {

using tiled::MapDecoder;

namespace {

constexpr int kConv = tiled::Config::kConv, kFc = tiled::Config::kFc;
constexpr std::size_t kHalf = 2000;

// Puts a decoder in front of a double-buffered convolution engine and a single-buffered fully connected one.
struct Rig : sc_core::sc_module {
  Rig(const sc_core::sc_module_name& name, const tiled::Encoding& encoding, int stall = 0, bool values = true)
      : sc_module(name),
        e(encoding),
        conv_store(2, kHalf),
        fc_store(1, kHalf),
        run_source("run_source", {}, stall),
        beat_source("beat_source", {}, stall, 2),
        decoder("decoder", e, {&conv_store, nullptr, &fc_store}, values),
        conv("conv", conv_store, decoder.filled(kConv), stall),
        fc("fc", fc_store, decoder.filled(kFc), stall),
        turns("turns", stall, 3) {
    run_source.out(runs);
    decoder.runs(runs);
    beat_source.out(beats);
    decoder.beats(beats);
    decoder.turn(turn);
    turns.in(turn);
  }
  void add_run(int engine, bool is_unsigned, int skip, const std::vector<std::uint16_t>& codes, bool last) {
    const int values = static_cast<int>(codes.size());
    run_source.add({{0, static_cast<int>(e.beats(skip + values)), skip, values, last}, engine, is_unsigned});
    for (int i = 0, first = skip; i < values; first = 0) {
      const int count = std::min(values - i, e.per_beat() - first);
      beat_source.add(test::beat_of(e, first, &codes[static_cast<std::size_t>(i)], count, i + count == values, random));
      i += count;
      ++total_beats;
    }
  }
  // Runs of any length and skip that make a tile.
  void add_tile(int engine, bool is_unsigned, int runs_of_tile) {
    std::vector<std::int16_t> tile;
    for (int run = 0; run < runs_of_tile; ++run) {
      const auto codes = test::random_codes(static_cast<std::size_t>(random.uniform(1, 100)), e.value_bits, random);
      for (const std::uint16_t code : codes) {
        const bool negative = !is_unsigned && code >> (e.value_bits - 1) != 0;
        tile.push_back(static_cast<std::int16_t>(negative ? code - (1 << e.value_bits) : code));
      }
      add_run(engine, is_unsigned, random.uniform(0, e.per_beat() - 1), codes, run + 1 == runs_of_tile);
    }
    expected[static_cast<std::size_t>(engine)].push_back(tile);
    ++tiles;
  }
  void observe() {
    conv.observe();
    fc.observe();
  }
  bool done() const { return turns.count() == tiles && conv.filled.empty() && fc.filled.empty(); }

  const tiled::Encoding e;
  tiled::TileStore<std::int16_t> conv_store, fc_store;
  sim::Stream<tiled::MapExtent> runs{"runs"};
  sim::Stream<tiled::ExtentBeat> beats{"beats"};
  sim::Stream<tiled::Turn> turn{"turn"};
  test::Source<tiled::MapExtent> run_source;
  test::Source<tiled::ExtentBeat> beat_source;
  MapDecoder decoder;
  test::FilledStore<std::int16_t> conv, fc;
  test::Sink<tiled::Turn> turns;
  base::Random random{9};
  std::array<std::vector<std::vector<std::int16_t>>, 3> expected;
  std::size_t tiles = 0;
  std::int64_t total_beats = 0;
};

void require_tiles(const test::FilledStore<std::int16_t>& store, const std::vector<std::vector<std::int16_t>>& tiles,
                   int halves) {
  REQUIRE(store.tiles.size() == tiles.size());
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    REQUIRE(store.halves[i] == static_cast<int>(i) % halves);
    REQUIRE(std::vector<std::int16_t>(store.tiles[i].begin(),
                                      store.tiles[i].begin() + static_cast<std::ptrdiff_t>(tiles[i].size())) ==
            tiles[i]);
  }
}

// Returns the violation when a decoder gets a run and beats of it.
std::string violation(const tiled::MapExtent& run, const std::vector<bool>& lasts) {
  test::Bench bench;
  Rig rig("rig", tiled::graded(8, 32, 32, true));
  rig.run_source.add(run);
  for (const bool last : lasts) {
    tiled::ExtentBeat beat;
    beat.last = last;
    rig.beat_source.add(beat);
  }
  try {
    bench.run(20);
  } catch (const sim::Violation& broken) {
    return broken.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("the map decoder fills halves with the values of a tile's runs in order under any stalls") {
  test::Bench bench;
  std::vector<std::unique_ptr<Rig>> rigs;
  for (const tiled::Encoding& e : test::encodings())
    for (int stall : {0, 30, 70}) {
      rigs.push_back(std::make_unique<Rig>(fmt::format("rig{}", rigs.size()).c_str(), e, stall));
      for (int i = 0; i < 6; ++i) rigs.back()->add_tile(i % 3 == 1 ? kFc : kConv, i >= 3, i + 1);
    }
  bench.at_each_edge([&](sim::Edge) {
    for (auto& rig : rigs) rig->observe();
  });
  REQUIRE(bench.run_until(
      [&] { return std::all_of(rigs.begin(), rigs.end(), [](const auto& rig) { return rig->done(); }); }));
  for (const auto& rig : rigs) {
    INFO(fmt::format("l {}, q {}, h {}", rig->e.value_bits, rig->e.word_bits, rig->e.beat_bits));
    require_tiles(rig->conv, rig->expected[kConv], 2);
    require_tiles(rig->fc, rig->expected[kFc], 1);
    CHECK(test::counter(rig->decoder, "tiles") == 6);
    CHECK(test::counter(rig->decoder, "beats") == rig->total_beats);
  }
}

TEST_CASE("the map decoder's tokens leave at the edge that pops the tile's last beat") {
  test::Bench bench;
  Rig rig("rig", tiled::graded(8, 32, 64, true));
  rig.add_run(kConv, false, 5, std::vector<std::uint16_t>(20), true);
  rig.tiles = 1;
  bench.run(20);
  // Four beats: popped at 2 to 5, the tokens pushed at 5 and popped at 6.
  CHECK(rig.conv.sink.edges() == std::vector<sim::Edge>{6});
  CHECK(rig.turns.edges() == std::vector<sim::Edge>{6});
}

TEST_CASE("the map decoder takes a beat per cycle from run to run and from tile to tile") {
  test::Bench bench;
  Rig rig("rig", tiled::graded(3, 32, 256, true));
  for (int i = 0; i < 200; ++i) rig.add_run(kConv, false, 3, std::vector<std::uint16_t>(40), i % 10 == 9);
  rig.tiles = 20;
  REQUIRE(bench.run_until([&] { return rig.done(); }));
  CHECK(rig.turns.edges().back() == 200 + 2);
}

TEST_CASE("every cycle of the map decoder within a run is a beat or a stall or a wait") {
  test::Bench bench;
  Rig rig("rig", tiled::graded(8, 32, 32, true), 50);
  for (int i = 0; i < 30; ++i) rig.add_tile(kConv, false, 1);
  rig.turns.not_before = 300;
  std::int64_t in_run = 0, before = 0;
  bench.at_each_edge([&](sim::Edge) {
    // At the edge before, a run was open if values of it were taken then, or are still to come.
    const std::int64_t now = test::counter(rig.decoder, "values");
    std::int64_t total = 0;
    for (std::int64_t run = 0; run < rig.runs.pops(); ++run)
      total += static_cast<std::int64_t>(rig.expected[kConv][static_cast<std::size_t>(run)].size());
    in_run += now > before || now < total;
    before = now;
  });
  REQUIRE(bench.run_until([&] { return rig.done(); }));
  const auto count = [&](const char* name) { return test::counter(rig.decoder, name); };
  CHECK(count("beats") + count("stalls") + count("waits") == in_run);
  CHECK(count("stalls") > 0);
  CHECK(count("waits") > 0);
}

TEST_CASE("the map decoder without values takes the same cycles and leaves the store alone") {
  test::Bench bench;
  const tiled::Encoding e = tiled::graded(8, 32, 64, true);
  Rig with("with", e, 30), without("without", e, 30, false);
  for (int i = 0; i < 20; ++i) {
    with.add_tile(kConv, true, 2);
    without.add_tile(kConv, true, 2);
  }
  bench.at_each_edge([&](sim::Edge) { without.observe(); });
  REQUIRE(bench.run_until([&] { return with.done() && without.done(); }));
  for (const auto& tile : without.conv.tiles) REQUIRE(tile == std::vector<std::int16_t>(kHalf));
  CHECK(test::counter(with.decoder, "beats") == test::counter(without.decoder, "beats"));
  CHECK(with.total_beats == without.total_beats);
}

TEST_CASE("a run of more beats than its values take is a violation of the map decoder's") {
  CHECK(violation({{0, 3, 1, 7, true}, kConv, false}, {}) ==
        "rig.decoder: a run of 7 values after 1 in 3 beats, cycle 2");
}

TEST_CASE("a run for an engine that the accelerator lacks is a violation of the map decoder's") {
  CHECK(violation({{0, 1, 0, 4, true}, 1, false}, {}) ==
        "rig.decoder: a run for engine 1, which does not exist, cycle 2");
}

TEST_CASE("a tile larger than its half is a violation of the map decoder's") {
  CHECK(violation({{0, 501, 0, 2001, true}, kConv, false}, {}) ==
        "rig.decoder: a tile of 2001 values in a half of 2000, cycle 2");
}

TEST_CASE("a run that ends too early is a violation of the map decoder's") {
  CHECK(violation({{0, 2, 0, 8, true}, kConv, false}, {true}) ==
        "rig.decoder: a run's last beat is 1 with 4 of its values to come, cycle 2");
}

TEST_CASE("a run that does not end is a violation of the map decoder's") {
  CHECK(violation({{0, 2, 0, 8, true}, kConv, false}, {false, false}) ==
        "rig.decoder: a run's last beat is 0 with 0 of its values to come, cycle 3");
}

}  // namespace fansim::map_decoder_test

// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/hardware/weight_decoder.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstring>

#include "accelerators/tiled/config/packing.h"
#include "support/decoder_rig.h"

namespace fansim::weight_decoder_test {

using tiled::WeightDecoder;

namespace {

constexpr int kConv = tiled::Config::kConv, kFc = tiled::Config::kFc;
constexpr std::size_t kHalf = 3000;
constexpr std::uint16_t kUntouched = 0xeeee;

struct Rig : sc_core::sc_module {
  Rig(const sc_core::sc_module_name& name, const tiled::Encoding& encoding, int stall = 0, bool values = true)
      : sc_module(name),
        e(encoding),
        conv_store(2, kHalf),
        fc_store(1, kHalf),
        run_source("run_source", {}, stall),
        beat_source("beat_source", {}, stall, 2),
        decoder("decoder", e, {&conv_store, nullptr, &fc_store}, records, values),
        conv("conv", conv_store, decoder.filled(kConv), stall),
        fc("fc", fc_store, decoder.filled(kFc), stall),
        turns("turns", stall, 3),
        parameters("parameters", stall, 4) {
    run_source.out(runs);
    decoder.runs(runs);
    beat_source.out(beats);
    decoder.beats(beats);
    decoder.turn(turn);
    turns.in(turn);
    decoder.parameters(loaded);
    parameters.in(loaded);
    for (auto& half : conv_store.half) std::fill(half.begin(), half.end(), kUntouched);
    std::fill(fc_store[0].begin(), fc_store[0].end(), kUntouched);
  }
  // The beats of a run whose rows hold `codes`.
  void add_run(const tiled::WeightExtent& run, const tiled::Encoding& encoding,
               const std::vector<std::uint16_t>& codes) {
    run_source.add(run);
    const int values = run.run.values;
    for (int i = 0, first = run.run.skip; i < values; first = 0) {
      const int in_row = run.row - i % run.row;
      const int count = std::min(in_row, encoding.per_beat() - first);
      beat_source.add(
          test::beat_of(encoding, first, &codes[static_cast<std::size_t>(i)], count, i + count == values, random));
      i += count;
    }
    total_beats += run.run.beats;
  }
  void observe() {
    conv.observe();
    fc.observe();
  }
  bool done() const {
    return turns.count() == tiles + parameter_loads && parameters.count() == parameter_loads && conv.filled.empty() &&
           fc.filled.empty();
  }

  const tiled::Encoding e;
  tiled::TileStore<std::uint16_t> conv_store, fc_store;
  tiled::ParameterStore records;
  sim::Stream<tiled::WeightExtent> runs{"runs"};
  sim::Stream<tiled::ExtentBeat> beats{"beats"};
  sim::Stream<tiled::Turn> turn{"turn"};
  sim::Stream<tiled::Turn> loaded{"loaded"};
  test::Source<tiled::WeightExtent> run_source;
  test::Source<tiled::ExtentBeat> beat_source;
  WeightDecoder decoder;
  test::FilledStore<std::uint16_t> conv, fc;
  test::Sink<tiled::Turn> turns;
  test::Sink<tiled::Turn> parameters;
  base::Random random{9};
  std::size_t tiles = 0;
  std::size_t parameter_loads = 0;
  std::int64_t total_beats = 0;
};

tiled::EngineConfig engine_of(int tm, int tn) {
  tiled::EngineConfig engine;
  engine.tm = tm;
  engine.tn = tn;
  return engine;
}

// The layers have one tile each: a convolution of 11 -> 13 channels, and a fully connected one of 17 -> 20.
tiled::TiledJob job_of(int engine) {
  tiled::TiledJob job;
  job.engine = engine;
  job.instruction.in_channels = engine == kFc ? 17 : 11;
  job.instruction.out_channels = engine == kFc ? 20 : 13;
  job.instruction.kernel = engine == kFc ? 1 : 3;
  job.fc_steps = 3;
  job.fc_groups = 2;
  job.fc_block = 40;
  return job;
}
const tiled::EngineConfig kConvEngine = engine_of(16, 12), kFcEngine = engine_of(12, 7);

// A tile with what level 1 then holds: in natural order codes of channels that do not exist stay away, reorganised they
// are in memory.
std::vector<std::uint16_t> add_tile(Rig& rig, int engine, bool reorganised) {
  const tiled::TiledJob job = job_of(engine);
  const tiled::EngineConfig& config = engine == kFc ? kFcEngine : kConvEngine;
  const tiled::WeightExtents weights(job, config, rig.e, reorganised);
  const tiled::WeightTile tile = engine == kFc ? weights.fc_tile(0, 0, 0) : weights.conv_tile(0, 0);
  const int outputs = engine == kFc ? 24 : 16, inputs = engine == kFc ? 21 : 12, steps = engine == kFc ? 1 : 9;
  const auto size = static_cast<std::size_t>(outputs * inputs * steps);
  std::vector<std::uint16_t> level1(kHalf, kUntouched);
  if (reorganised) {
    const auto codes = test::random_codes(size, rig.e.value_bits, rig.random);
    rig.add_run(weights.run(tile, 0), rig.e, codes);
    std::copy(codes.begin(), codes.end(), level1.begin());
  } else {
    for (int o = 0; o < tile.outputs; ++o) {
      const auto codes =
          test::random_codes(static_cast<std::size_t>(tile.inputs * steps), rig.e.value_bits, rig.random);
      rig.add_run(weights.run(tile, o), rig.e, codes);
      for (int i = 0; i < tile.inputs; ++i)
        for (int k = 0; k < steps; ++k) {
          const int at = engine == kFc ? ((i / 7 * 2 + o / 12) * 7 + i % 7) * 12 + o % 12 : (k * 12 + i) * 16 + o;
          level1[static_cast<std::size_t>(at)] = codes[static_cast<std::size_t>(i * steps + k)];
        }
    }
  }
  ++rig.tiles;
  return level1;
}

std::vector<tiled::ChannelParameters> add_parameters(Rig& rig, int first, int channels, bool last) {
  const tiled::Encoding bytes{8, 8, rig.e.beat_bits, rig.e.beat_bits};
  std::vector<tiled::ChannelParameters> records;
  std::vector<std::uint16_t> codes;
  for (int i = 0; i < channels; ++i) {
    const auto low = static_cast<std::uint32_t>(rig.random.next()),
               high = static_cast<std::uint32_t>(rig.random.next());
    for (int byte = 0; byte < 4; ++byte) codes.push_back(static_cast<std::uint8_t>(low >> 8 * byte));
    for (int byte = 0; byte < 4; ++byte) codes.push_back(static_cast<std::uint8_t>(high >> 8 * byte));
    tiled::ChannelParameters record;
    record.bias = std::int64_t{static_cast<std::int8_t>(high >> 24)} * (std::int64_t{1} << 32) + low;
    record.scale = static_cast<std::int16_t>(high);
    record.shift = static_cast<std::uint8_t>(high >> 16);
    std::memcpy(&record.float_scale, &high, sizeof high);
    records.push_back(record);
  }
  tiled::WeightExtent run = tiled::WeightExtents(job_of(kConv), kConvEngine, rig.e, true).parameters(first, channels);
  run.run.last = last;
  rig.add_run(run, bytes, codes);
  rig.parameter_loads += last;
  return records;
}

void require_halves(const std::vector<std::uint16_t>& held, const std::vector<std::uint16_t>& expected) {
  for (std::size_t i = 0; i < kHalf; ++i)
    if (expected[i] != kUntouched) REQUIRE(held[i] == expected[i]);
}

std::string violation(const tiled::WeightExtent& run, const std::vector<bool>& lasts) {
  test::Bench bench;
  Rig rig("rig", tiled::width_independent(8, 32, true));
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

tiled::WeightExtent run_of_rows(int beats, int skip, int values, int row) {
  tiled::WeightExtent run;
  run.run = {0, beats, skip, values, true};
  run.row = row;
  return run;
}

}  // namespace

TEST_CASE("the weight decoder fills level 1 in the engine's order reorganised or not under any stalls") {
  test::Bench bench;
  std::vector<std::unique_ptr<Rig>> rigs;
  std::vector<std::vector<std::vector<std::uint16_t>>> conv, fc;
  for (const tiled::Encoding& e : test::encodings())
    for (int stall : {0, 40}) {
      rigs.push_back(std::make_unique<Rig>(fmt::format("rig{}", rigs.size()).c_str(), e, stall));
      conv.emplace_back();
      fc.emplace_back();
      for (int i = 0; i < 3; ++i) conv.back().push_back(add_tile(*rigs.back(), kConv, i != 1));
      for (int i = 0; i < 3; ++i) fc.back().push_back(add_tile(*rigs.back(), kFc, i != 1));
    }
  bench.at_each_edge([&](sim::Edge) {
    for (auto& rig : rigs) rig->observe();
  });
  REQUIRE(bench.run_until(
      [&] { return std::all_of(rigs.begin(), rigs.end(), [](const auto& rig) { return rig->done(); }); }));
  for (std::size_t i = 0; i < rigs.size(); ++i) {
    const Rig& rig = *rigs[i];
    INFO(fmt::format("l {}, q {}, h {}", rig.e.value_bits, rig.e.word_bits, rig.e.beat_bits));
    CHECK(rig.conv.halves == std::vector<int>{0, 1, 0});
    CHECK(rig.fc.halves == std::vector<int>{0, 0, 0});
    for (std::size_t t = 0; t < 3; ++t) {
      require_halves(rig.conv.tiles.at(t), conv[i][t]);
      require_halves(rig.fc.tiles.at(t), fc[i][t]);
    }
    // What no run brings stays as it was.
    for (int k = 0; k < 9; ++k) REQUIRE(rig.conv.tiles[1][static_cast<std::size_t>((k * 12 + 11) * 16)] == kUntouched);
    REQUIRE(rig.conv.tiles[2].back() == kUntouched);
    CHECK(test::counter(rig.decoder, "tiles") == 6);
    CHECK(test::counter(rig.decoder, "beats") == rig.total_beats);
  }
}

TEST_CASE("the weight decoder reads parameters from beats of any width from the first channel anew after each load") {
  test::Bench bench;
  std::vector<std::unique_ptr<Rig>> rigs;
  std::vector<std::vector<tiled::ChannelParameters>> expected;
  for (int beat : {8, 16, 32, 64, 256, 512})
    for (int stall : {0, 40}) {
      rigs.push_back(std::make_unique<Rig>(fmt::format("rig{}", rigs.size()).c_str(),
                                           tiled::width_independent(8, beat, true), stall));
      add_parameters(*rigs.back(), 0, 30, true);
      expected.push_back(add_parameters(*rigs.back(), 0, 9, false));
      const auto more = add_parameters(*rigs.back(), 9, 14, true);
      expected.back().insert(expected.back().end(), more.begin(), more.end());
    }
  REQUIRE(bench.run_until(
      [&] { return std::all_of(rigs.begin(), rigs.end(), [](const auto& rig) { return rig->done(); }); }));
  for (std::size_t i = 0; i < rigs.size(); ++i) {
    INFO(rigs[i]->e.beat_bits);
    const auto& held = rigs[i]->records.channels;
    REQUIRE(held.size() == 30);
    for (std::size_t c = 0; c < 23; ++c) {
      REQUIRE(held[c].bias == expected[i][c].bias);
      REQUIRE(held[c].scale == expected[i][c].scale);
      REQUIRE(held[c].shift == expected[i][c].shift);
      REQUIRE(std::memcmp(&held[c].float_scale, &expected[i][c].float_scale, sizeof(float)) == 0);
    }
    CHECK(rigs[i]->turns.count() == 2);
  }
}

TEST_CASE("the weight decoder takes a beat per cycle but of a scattered run a value per cycle") {
  test::Bench bench;
  const tiled::Encoding e = tiled::width_independent(8, 256, true);
  Rig dense("dense", e), scattered("scattered", e);
  for (int i = 0; i < 4; ++i) add_tile(dense, kConv, true);
  for (int i = 0; i < 2; ++i) add_tile(scattered, kConv, false);
  REQUIRE(bench.run_until([&] { return dense.done() && scattered.done(); }));
  // 108 rows of 16 codes take a beat each; 13 outputs have 11 x 9 codes. The first beat is popped at 2, and the token
  // one edge later.
  CHECK(dense.turns.edges().back() == 2 + 4 * 108);
  CHECK(scattered.turns.edges().back() == 2 + 2 * 13 * 11 * 9);
  for (std::size_t i = 0; i < 4; ++i) CHECK(dense.conv.sink.edges()[i] == dense.turns.edges()[i]);
}

TEST_CASE("every cycle of the weight decoder is a beat or a stall or a wait") {
  test::Bench bench;
  Rig rig("rig", tiled::width_independent(8, 256, true));
  for (int i = 0; i < 6; ++i) add_tile(rig, kConv, true);
  rig.beat_source.not_before.assign(200, 50);
  rig.turns.not_before = 900;
  REQUIRE(bench.run_until([&] { return rig.done(); }));
  const auto count = [&](const char* name) { return test::counter(rig.decoder, name); };
  // From the pop of the first run, at 2, to that of the last beat; two tokens of `turn` wait for their sink.
  CHECK(1 + count("beats") + count("stalls") + count("waits") + 1 == rig.turns.edges().back());
  CHECK(count("waits") == 50 - 1);
  CHECK(count("stalls") > 0);
}

TEST_CASE("the weight decoder without values takes the same cycles and leaves the stores alone") {
  test::Bench bench;
  const tiled::Encoding e = tiled::width_independent(5, 64, true);
  Rig with("with", e), without("without", e, 0, false);
  for (Rig* rig : {&with, &without}) {
    add_parameters(*rig, 0, 10, true);
    for (int i = 0; i < 4; ++i) add_tile(*rig, i < 2 ? kConv : kFc, i % 2 == 0);
  }
  bench.at_each_edge([&](sim::Edge) { without.observe(); });
  REQUIRE(bench.run_until([&] { return with.done() && without.done(); }));
  CHECK(with.turns.edges() == without.turns.edges());
  CHECK(with.parameters.edges() == without.parameters.edges());
  for (const auto& tile : without.conv.tiles) REQUIRE(tile == std::vector<std::uint16_t>(kHalf, kUntouched));
  CHECK(without.records.channels.empty());
}

TEST_CASE("weights whose rows do not fill their beats are a violation of the weight decoder's") {
  CHECK(violation(run_of_rows(3, 0, 12, 6), {}) ==
        "rig.decoder: a run of 12 values in rows of 6 after 0 in 3 beats, cycle 2");
}

TEST_CASE("weights that exceed their half are a violation of the weight decoder's") {
  tiled::WeightExtent run = run_of_rows(3, 0, 12, 12);
  run.scatter = {1, 6, 10, 2990};
  CHECK(violation(run, {}) == "rig.decoder: a run up to value 3041 of a half of 3000, cycle 2");
}

TEST_CASE("weights that end within their run are a violation of the weight decoder's") {
  CHECK(violation(run_of_rows(3, 1, 10, 10), {false, true}) ==
        "rig.decoder: a run's last beat is 1 with 3 of its values to come, cycle 3");
}

TEST_CASE("weights for an engine that the accelerator lacks are a violation of the weight decoder's") {
  tiled::WeightExtent run = run_of_rows(3, 0, 12, 12);
  run.engine = 1;
  CHECK(violation(run, {}) == "rig.decoder: a run for engine 1, which does not exist, cycle 2");
}

}  // namespace fansim::weight_decoder_test

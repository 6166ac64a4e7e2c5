// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/array_passes.h"
#include "blocks/dual_int8_chain.h"

namespace fansim::chain_array_test {

using contract::Shared;
using stream::MacArray;
using test::at;

namespace {

constexpr std::uint64_t kSeed = 52;
constexpr int kCols = 3, kRows = 2, kCi = 2, kCo = 4, kTerms = 4;
constexpr int kTaps = kCols * kRows * kCi, kChains = 2;  // with 4 and 2 terms

stream::ArrayConfig array(Shared shared) {
  stream::ArrayConfig config = test::array_of(kRows, kCols, kCi, kCo);
  config.multiplier = stream::Multiplier::dsp48e2_int8_chain;
  config.terms = kTerms;
  config.shared = shared;
  return config;
}

// Sends a single beat through the slices of a chain.
blocks::Int8Sums through_slices(const contract::DualInt8Config& config, const blocks::Int8Pairs& pairs) {
  blocks::DualInt8Chain chain(config);
  for (int edge = 0; edge < config.latency(); ++edge) chain.step(edge == 0 ? &pairs : nullptr);
  return chain.sums();
}

}  // namespace

TEST_CASE("the sums of the array are those of slices whichever factor they share") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  test::Arrays arrays(bench);
  const test::Passes passes(array(Shared::weight), 6, 5, random);
  arrays.add(passes, array(Shared::activation));
  arrays.add(passes, array(Shared::weight));
  arrays.lanes.run();
  for (int k = 0; k < 6 * 5; ++k) {
    // Windows 0 and 1, 2 and 3 of a pass are pairs; the fifth is alone.
    const int other = k % 5 == 4 ? k : k % 5 % 2 == 0 ? k + 1 : k - 1;
    for (int o = 0; o < kCo; ++o) {
      for (int row = 0; row < kRows; ++row) {
        for (int chain = 0; chain < kChains; ++chain) {
          contract::DualInt8Config config{chain == 0 ? 4 : 2};
          blocks::Int8Pairs by_channel, by_window;
          for (int i = 0; i < config.terms; ++i) {
            const int j = chain * kTerms + i, column = j / kCi, tap = row * kCi + j % kCi;
            const auto weight = [&](int channel) {
              const auto& bytes = passes.columns[at(k / 5 * kCols + column)].bytes;
              return static_cast<std::int8_t>(bytes[at(channel * kRows * kCi + tap)]);
            };
            const auto x = [&](int window) { return passes.windows[at(window)].taps[at(column * kRows * kCi + tap)]; };
            by_channel.high[at(i)] = weight(o);
            by_channel.low[at(i)] = weight(o ^ 1);
            by_channel.shared[at(i)] = x(k);
            by_window.high[at(i)] = x(k);
            by_window.low[at(i)] = x(other);
            by_window.shared[at(i)] = weight(o);
          }
          const std::size_t sum = at((o * kRows + row) * kChains + chain);
          REQUIRE(arrays.lanes[0].sink.items()[at(k)].sums[sum] == through_slices(config, by_channel).high);
          config.shared = Shared::weight;
          REQUIRE(arrays.lanes[1].sink.items()[at(k)].sums[sum] == through_slices(config, by_window).high);
        }
      }
    }
  }
}

TEST_CASE("sums come terms + 5 cycles after their window and two later where windows are in pairs") {
  base::Random random(kSeed);
  test::Bench bench;
  test::Arrays arrays(bench);
  const test::Passes passes(array(Shared::weight), 1, 4, random);
  arrays.add(passes, array(Shared::activation)).source.not_before = {100};
  arrays.add(passes, array(Shared::weight)).source.not_before = {100};
  arrays.lanes.run();
  const sim::Edge first = arrays.lanes[0].sink.edges()[0];
  CHECK(arrays.lanes[1].sink.edges()[0] == first + 2);
  // Pushed to the array at 100, popped there at 101, and its sums popped an edge after they are pushed.
  CHECK(first == 101 + kTerms + 5 + 1);
}

TEST_CASE("a weight set is taken a cycle later after an odd number of windows in pairs") {
  base::Random random(kSeed);
  test::Bench bench;
  test::Arrays arrays(bench);
  for (const int length : {4, 5}) {
    const test::Passes passes(array(Shared::weight), 8, length, random);
    arrays.add(passes, array(Shared::activation));
    arrays.add(passes, array(Shared::weight));
  }
  arrays.lanes.run();
  for (std::size_t lane = 0; lane < 4; ++lane) {
    const int length = lane < 2 ? 4 : 5, alone = lane == 3 ? 1 : 0;
    const std::vector<sim::Edge>& edges = arrays.lanes[lane].sink.edges();
    for (int pass = 2; pass < 8; ++pass)
      CHECK(edges[at(pass * length)] - edges[at((pass - 1) * length)] == length + alone);
  }
}

TEST_CASE("random stalls change no sum of chains") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  test::Arrays arrays(bench);
  const test::Passes passes(array(Shared::weight), 12, 7, random);
  for (const Shared shared : {Shared::activation, Shared::weight})
    for (const test::Stalls stalls : test::kStallGrid) arrays.add(passes, array(shared), stalls);
  arrays.lanes.run();
  for (std::size_t lane = 1; lane < arrays.lanes.size(); ++lane)
    for (std::size_t k = 0; k < passes.windows.size(); ++k)
      for (int i = 0; i < kCo * kRows * kChains; ++i)
        REQUIRE(arrays.lanes[lane].sink.items()[k].sums[at(i)] == arrays.lanes[0].sink.items()[k].sums[at(i)]);
}

TEST_CASE("as many terms as the signs allow sum exactly and one more does not") {
  for (const Shared shared : {Shared::activation, Shared::weight}) {
    stream::ArrayConfig config = test::array_of(3, 3, 8, 8);
    config.multiplier = stream::Multiplier::dsp48e2_int8_chain;
    config.shared = shared;
    for (config.terms = 2; config.terms <= 8; ++config.terms) {
      CHECK(config.sums_exactly(false) == (config.terms <= 7));
      CHECK(config.sums_exactly(true) == (config.terms <= 4));
    }
  }
}

}  // namespace fansim::chain_array_test

// SPDX-License-Identifier: Apache-2.0
#include "blocks/dual_int8_mac.h"

#include "support/blocks.h"

namespace fansim::dual_int8_mac_test {

using blocks::DualInt8Mac;
using blocks::Int8Pairs;
using blocks::Int8Sums;
using contract::DualInt8Config;

namespace {

constexpr std::uint64_t kSeed = 91;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

std::vector<DualInt8Config> configs() {
  DualInt8Config published, shortest, weights_shared, symmetric;
  shortest.terms = 1;
  weights_shared.shared = contract::Shared::weight;
  weights_shared.unsigned_activations = true;
  weights_shared.terms = 4;
  symmetric.unsigned_activations = true;
  symmetric.lowest_weight = -127;
  symmetric.shift = 19;
  symmetric.terms = 8;
  return {published, shortest, weights_shared, symmetric};
}

// Dot products of one to `longest` beats, and their sums.
struct Work {
  Work(const DualInt8Config& config, int sums_count, int longest, base::Random& random) {
    const auto draw = [&](const DualInt8Config::Range& r) {
      return static_cast<std::int16_t>(random.chance(30) ? (random.chance(50) ? r.lo : r.hi)
                                                         : random.uniform(r.lo, r.hi));
    };
    for (int s = 0; s < sums_count; ++s) {
      sums.emplace_back();
      const int length = random.uniform(1, longest);
      for (int i = 0; i < length; ++i) {
        Int8Pairs beat;
        beat.first = i == 0;
        beat.last = i == length - 1;
        for (int k = 0; k < config.terms; ++k) {
          const std::int16_t a = draw(config.pair()), b = draw(config.pair()), c = draw(config.factor());
          beat.high[at(k)] = a;
          beat.low[at(k)] = b;
          beat.shared[at(k)] = c;
          sums.back().high += a * c;
          sums.back().low += b * c;
        }
        beats.push_back(beat);
      }
    }
  }

  void require(const std::vector<Int8Sums>& out) const {
    REQUIRE(out.size() == sums.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
      REQUIRE(out[i].high == sums[i].high);
      REQUIRE(out[i].low == sums[i].low);
    }
  }

  std::vector<Int8Pairs> beats;
  std::vector<Int8Sums> sums;
};

using Macs = test::Lanes<DualInt8Mac, Int8Pairs, Int8Sums>;

}  // namespace

TEST_CASE("the packed chain sums both dot products for every kind of operands") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  Macs lanes(bench, &DualInt8Mac::pairs, &DualInt8Mac::sums);
  std::vector<Work> work;
  for (const DualInt8Config& config : configs()) {
    REQUIRE(config.exact());
    work.emplace_back(config, 60, 9, random);
    lanes.add(work.back().beats, work.back().sums.size(), {0, 0}, config);
  }
  lanes.run();
  for (std::size_t i = 0; i < work.size(); ++i) work[i].require(lanes[i].sink.items());
}

TEST_CASE("the packed chain takes exactly its declared latency: 12 cycles for seven terms") {
  base::Random random(kSeed);
  test::Bench bench;
  Macs lanes(bench, &DualInt8Mac::pairs, &DualInt8Mac::sums);
  for (const DualInt8Config& config : configs()) {
    auto& lane = lanes.add({}, 2, {0, 0}, config);
    for (const Int8Pairs& beat : Work(config, 2, 1, random).beats)
      lane.source.add(beat, lane.source.not_before.empty() ? 5 : 60);
  }
  lanes.run();
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    REQUIRE(lanes[i].latency(0, 0) == configs()[i].latency());
    REQUIRE(lanes[i].latency(1, 1) == configs()[i].latency());
  }
  CHECK(DualInt8Config().latency() == 12);
}

TEST_CASE("the packed chain takes one beat per cycle") {
  base::Random random(kSeed);
  test::Bench bench;
  Macs lanes(bench, &DualInt8Mac::pairs, &DualInt8Mac::sums);
  for (const DualInt8Config& config : configs()) lanes.add(Work(config, 150, 1, random).beats, 150, {0, 0}, config);
  lanes.run();
  for (std::size_t i = 0; i < lanes.size(); ++i) REQUIRE(test::back_to_back(lanes[i].sink.edges()));
}

TEST_CASE("random stalls change neither the packed chain's sums nor their order and every cycle is accounted for") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  Macs lanes(bench, &DualInt8Mac::pairs, &DualInt8Mac::sums);
  const Work work(DualInt8Config(), 120, 3, random);
  for (const test::Stalls& stalls : test::kStallGrid) lanes.add(work.beats, work.sums.size(), stalls, DualInt8Config());
  lanes.run();
  for (std::size_t i = 0; i < lanes.size(); ++i) work.require(lanes[i].sink.items());
  lanes.require_sums("beats");
}

}  // namespace fansim::dual_int8_mac_test

// SPDX-License-Identifier: Apache-2.0
#include "blocks/dual_int8_chain.h"

#include <catch2/catch.hpp>
#include <optional>

#include "base/random.h"
#include "primitives/dual_int8.h"

namespace fansim::dual_int8_chain_test {

using blocks::DualInt8Chain;
using blocks::Int8Pairs;
using blocks::Int8Sums;
using contract::DualInt8Config;
using contract::Shared;

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

DualInt8Config with(int terms, Shared shared = Shared::activation, bool is_unsigned = false, int lowest_weight = -128,
                    int shift = 18) {
  DualInt8Config config;
  config.terms = terms;
  config.shared = shared;
  config.unsigned_activations = is_unsigned;
  config.lowest_weight = lowest_weight;
  config.shift = shift;
  return config;
}

Int8Sums expected(const DualInt8Config& config, const Int8Pairs& pairs) {
  Int8Sums sums;
  for (int k = 0; k < config.terms; ++k) {
    sums.high += pairs.high[at(k)] * pairs.shared[at(k)];
    sums.low += pairs.low[at(k)] * pairs.shared[at(k)];
  }
  return sums;
}

// Beats of one sum each through a chain, back to back; those whose sums come out wrong.
std::vector<Int8Pairs> wrong_sums(const DualInt8Config& config, const std::vector<Int8Pairs>& beats) {
  DualInt8Chain chain(config);
  std::vector<Int8Pairs> wrong;
  const int delay = config.latency() - 1;  // from entry to the last P register, both edges included
  for (int edge = 0; edge < static_cast<int>(beats.size()) + delay; ++edge) {
    chain.step(edge < static_cast<int>(beats.size()) ? &beats[at(edge)] : nullptr);
    if (edge < delay) continue;
    const Int8Pairs& beat = beats[at(edge - delay)];
    const Int8Sums should = expected(config, beat), is = chain.sums();
    if (is.high != should.high || is.low != should.low) wrong.push_back(beat);
  }
  return wrong;
}

// Every corner of the operands' ranges in all terms alike, and random mixtures of corners and other values.
std::vector<Int8Pairs> boundary_beats(const DualInt8Config& config, int mixtures) {
  base::Random random(90);
  const auto corners = [](const DualInt8Config::Range& r) {
    return std::vector<int>{r.lo, r.lo + 1, -1 < r.lo ? 1 : -1, 0, r.hi - 1, r.hi};
  };
  const std::vector<int> pair = corners(config.pair()), factor = corners(config.factor());
  std::vector<Int8Pairs> beats;
  for (const int a : pair)
    for (const int b : pair)
      for (const int c : factor) {
        beats.emplace_back();
        beats.back().high.fill(static_cast<std::int16_t>(a));
        beats.back().low.fill(static_cast<std::int16_t>(b));
        beats.back().shared.fill(static_cast<std::int16_t>(c));
      }
  const auto draw = [&](const std::vector<int>& edges, const DualInt8Config::Range& r) {
    return static_cast<std::int16_t>(random.chance(60) ? edges[at(random.uniform(0, 5))] : random.uniform(r.lo, r.hi));
  };
  for (int i = 0; i < mixtures; ++i) {
    beats.emplace_back();
    for (int k = 0; k < config.terms; ++k) {
      beats.back().high[at(k)] = draw(pair, config.pair());
      beats.back().low[at(k)] = draw(pair, config.pair());
      beats.back().shared[at(k)] = draw(factor, config.factor());
    }
  }
  return beats;
}

}  // namespace

TEST_CASE("seven terms are exact for every pair of sums that seven products can make") {
  // P is high * 2^18 + low whatever the terms, so the sums stand for all operands that have them.
  int wrong = 0;
  for (int low = 7 * -128 * 127; low <= 7 * 128 * 128; ++low)
    for (const int high : {7 * -128 * 127, -1, 0, 1, 7 * 128 * 128}) {
      const primitives::Int8Products read = primitives::unpack_int8(std::int64_t{high} * (1 << 18) + low);
      wrong += read.high != high || read.low != low;
    }
  CHECK(wrong == 0);
  for (const Shared shared : {Shared::activation, Shared::weight}) {
    const DualInt8Config config = with(7, shared);
    CHECK(config.exact());
    CHECK(wrong_sums(config, boundary_beats(config, 4000)).empty());
  }
}

TEST_CASE("eight terms fail at (-128)(-128) in every term of the low sum") {
  const DualInt8Config config = with(8);
  CHECK_FALSE(config.exact());
  const std::vector<Int8Pairs> wrong = wrong_sums(config, boundary_beats(config, 0));
  REQUIRE_FALSE(wrong.empty());
  for (const Int8Pairs& beat : wrong) {
    CHECK(beat.low[0] == -128);
    CHECK(beat.shared[0] == -128);
  }
  DualInt8Chain chain(config);
  Int8Pairs worst;
  worst.high.fill(0);
  worst.low.fill(-128);
  worst.shared.fill(-128);
  for (int edge = 0; edge < config.latency(); ++edge) chain.step(edge == 0 ? &worst : nullptr);
  CHECK(chain.sums().low == -131072);  // should be 131072
  CHECK(chain.sums().high == 1);       // should be 0
}

TEST_CASE("how many terms are exact follows from the ranges and the slices agree") {
  struct Case {
    Shared shared;
    bool is_unsigned;
    int lowest_weight, shift, most;
  };
  for (const Case& c : {Case{Shared::activation, false, -128, 18, 7}, Case{Shared::weight, false, -128, 18, 7},
                        Case{Shared::activation, false, -127, 18, 8}, Case{Shared::weight, false, -127, 18, 8},
                        Case{Shared::activation, true, -128, 18, 4}, Case{Shared::weight, true, -128, 18, 4},
                        Case{Shared::activation, true, -127, 18, 4}, Case{Shared::activation, true, -127, 19, 8},
                        Case{Shared::activation, false, -128, 19, 0}, Case{Shared::weight, true, -127, 19, 0}}) {
    int most = 0, measured = 0;
    for (int terms = 1; terms <= DualInt8Config::kMaxTerms; ++terms) {
      const DualInt8Config config = with(terms, c.shared, c.is_unsigned, c.lowest_weight, c.shift);
      if (config.exact()) most = terms;
      if (measured == terms - 1 && wrong_sums(config, boundary_beats(config, 500)).empty()) measured = terms;
    }
    CAPTURE(static_cast<int>(c.shared), c.is_unsigned, c.lowest_weight, c.shift);
    CHECK(most == c.most);
    CHECK(measured == c.most);
  }
}

TEST_CASE("one beat per edge through eight slices makes 14 multiply-accumulates of every 8: 1.75 each") {
  const DualInt8Config config = with(7);
  DualInt8Chain chain(config);
  const std::vector<Int8Pairs> beats = boundary_beats(config, 0);
  for (const Int8Pairs& beat : beats) chain.step(&beat);
  for (int k = 0; k < config.terms; ++k) chain.step(nullptr);
  CHECK(chain.slices() == 8);
  CHECK(chain.maccs() == 14 * static_cast<std::int64_t>(beats.size()));
  CHECK(static_cast<double>(chain.maccs()) / static_cast<double>(beats.size()) / chain.slices() == 1.75);
}

TEST_CASE("re-based sums go on over many beats in lanes of 24 bits") {
  const DualInt8Config config = with(7);
  DualInt8Chain chain(config);
  Int8Pairs beat;
  beat.high.fill(-128);
  beat.low.fill(127);
  beat.shared.fill(-128);
  constexpr int kBeats = 73;  // 73 * 7 * 2^14 is the last multiple below 2^23
  for (int i = 0; i < kBeats + config.latency() - 1; ++i) {
    beat.first = i == 0;
    chain.step(i < kBeats ? &beat : nullptr);
  }
  CHECK(chain.sums().high == kBeats * 7 * 128 * 128);
  CHECK(chain.sums().low == kBeats * 7 * -127 * 128);
}

}  // namespace fansim::dual_int8_chain_test

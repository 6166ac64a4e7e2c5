// SPDX-License-Identifier: Apache-2.0
#include "blocks/float/units.h"

#include <functional>

#include "support/blocks.h"
#include "support/float_operands.h"

namespace fansim::units_test {

using arith::FloatArithmetic;
using arith::FloatEvents;
using arith::FloatFormat;
using arith::FloatRounding;
using blocks::FloatOperands;
using blocks::FloatResult;

namespace {

constexpr std::uint64_t kSeed = 21;

const FloatArithmetic kArithmetic[] = {FloatArithmetic(arith::kCustom24),
                                       FloatArithmetic(arith::kSingle, FloatRounding::nearest_even)};
const arith::ArrayDivider kArrays[] = {
    arith::ArrayDivider(arith::kBrain16),
    arith::ArrayDivider(arith::kSingle, FloatRounding::nearest_even, arith::ArrayDividerConfig{1})};
const arith::ReciprocalDivider kReciprocals[] = {
    {arith::kCustom24, arith::ReciprocalConfig{6, 2}},
    {arith::kBrain16, arith::ReciprocalConfig{4, 0}, FloatRounding::nearest_even}};
const arith::FloatExponential kExponentials[] = {{arith::kBrain16, 3},
                                                 {arith::kCustom24, 7, FloatRounding::nearest_even}};

using Compute = std::function<std::uint64_t(const FloatOperands&, FloatEvents&)>;

// Runs the five tests that every block has.
template <class Block, class... Args>
void check_block(const FloatFormat& format, int latency, const Compute& compute, const Args&... args) {
  INFO("seed " << kSeed);
  constexpr std::size_t kItems = 200;
  test::Bench bench;
  test::Lanes<Block, FloatOperands, FloatResult> lanes(bench, &Block::operands, &Block::results);
  base::Random random(kSeed);
  std::vector<FloatOperands> items;
  for (std::size_t k = 0; k < kItems; ++k) items.push_back(test::random_operands(format, random));
  for (const test::Stalls stalls : test::kStallGrid) lanes.add(items, kItems, stalls, args...);
  lanes.run();
  FloatEvents all;
  for (std::size_t k = 0; k < kItems; ++k) {
    FloatEvents events;
    const std::uint64_t expected = compute(items[k], events);
    all += events;
    REQUIRE(lanes[0].latency(k, k) == latency);
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      const FloatResult& result = lanes[lane].sink.items()[k];
      REQUIRE(result.word == expected);
      REQUIRE(result.saturated == (events.saturations > 0));
      REQUIRE(result.underflowed == (events.underflows > 0));
    }
  }
  CHECK(test::back_to_back(lanes[0].sink.edges()));
  lanes.require_sums("beats");
  CHECK(all.saturations + all.underflows > 0);
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    CHECK(test::count(lanes[lane].block, "saturations") == all.saturations);
    CHECK(test::count(lanes[lane].block, "underflows") == all.underflows);
  }
}

void check_adder(const FloatArithmetic& unit) {
  check_block<blocks::FloatAdder>(
      unit.format(), 3,
      [&](const FloatOperands& in, FloatEvents& events) {
        return in.subtracts ? unit.subtract(in.a, in.b, events) : unit.add(in.a, in.b, events);
      },
      unit);
}

void check_multiplier(const FloatArithmetic& unit) {
  check_block<blocks::FloatMultiplier>(
      unit.format(), 2, [&](const FloatOperands& in, FloatEvents& events) { return unit.multiply(in.a, in.b, events); },
      unit);
}

template <class Divider>
void check_divider(const Divider& unit, const FloatFormat& format, int latency) {
  check_block<blocks::FloatDivider<Divider>>(
      format, latency, [&](const FloatOperands& in, FloatEvents& events) { return unit.divide(in.a, in.b, events); },
      unit);
}

void check_exponential(const arith::FloatExponential& unit, const FloatFormat& format) {
  check_block<blocks::FloatExponential>(
      format, 5, [&](const FloatOperands& in, FloatEvents& events) { return unit.exponential(in.a, events); }, unit);
}

}  // namespace

// SystemC elaborates once per process, so every block and every parameter set is a case of its own.
TEST_CASE("the adder: results and latency and throughput and stalls and counts") { check_adder(kArithmetic[0]); }
TEST_CASE("the adder in single precision rounded to nearest") { check_adder(kArithmetic[1]); }
TEST_CASE("the multiplier: results and latency and throughput and stalls and counts") {
  check_multiplier(kArithmetic[0]);
}
TEST_CASE("the multiplier in single precision rounded to nearest") { check_multiplier(kArithmetic[1]); }

TEST_CASE("the converter: results and latency and throughput and stalls and counts") {
  const FloatArithmetic to(arith::kCustom16, FloatRounding::nearest_even);
  check_block<blocks::FloatConverter>(
      arith::kCustom24, 1,
      [&](const FloatOperands& in, FloatEvents& events) { return to.convert(in.a, arith::kCustom24, events); },
      arith::kCustom24, to);
}

TEST_CASE("the array divider: results and latency and throughput and stalls and counts") {
  check_divider(kArrays[0], arith::kBrain16, 4);  // 9 rows, 4 between registers, and rounding
}
TEST_CASE("the array divider in single precision with a register per row and rounded to nearest") {
  check_divider(kArrays[1], arith::kSingle, 27);
}
TEST_CASE("the reciprocal divider: results and latency and throughput and stalls and counts") {
  check_divider(kReciprocals[0], arith::kCustom24, 7);
}
TEST_CASE("the reciprocal divider without an iteration and rounded to nearest") {
  check_divider(kReciprocals[1], arith::kBrain16, 3);
}
TEST_CASE("the exponential: results and latency and throughput and stalls and counts") {
  check_exponential(kExponentials[0], arith::kBrain16);
}
TEST_CASE("the exponential in 24 bits rounded to nearest") { check_exponential(kExponentials[1], arith::kCustom24); }

}  // namespace fansim::units_test

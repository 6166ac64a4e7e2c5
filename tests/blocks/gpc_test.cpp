// SPDX-License-Identifier: Apache-2.0
#include "blocks/gpc.h"

#include <catch2/catch.hpp>
#include <numeric>

#include "base/random.h"

namespace fansim::gpc_test {

using arith::CompressorPlan;
using arith::Counter;

namespace {

std::uint64_t weighed(const std::vector<int>& bits) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bits.size(); ++i) value |= static_cast<std::uint64_t>(bits[i]) << i;
  return value;
}

}  // namespace

TEST_CASE("every counter counts over all its inputs") {
  for (const Counter counter : {Counter::c606_5, Counter::c6_3, Counter::c3_2}) {
    const arith::CounterShape& shape = arith::shape(counter);
    const int inputs = std::accumulate(shape.takes.begin(), shape.takes.end(), 0);
    int wrong = 0;
    for (unsigned pattern = 0; pattern < 1u << inputs; ++pattern) {
      std::vector<int> bits;
      std::uint64_t expected = 0;
      for (std::size_t column = 0; column < shape.takes.size(); ++column) {
        for (int i = 0; i < shape.takes[column]; ++i) {
          bits.push_back(static_cast<int>(pattern >> bits.size() & 1));
          expected += static_cast<std::uint64_t>(bits.back()) << column;
        }
      }
      const std::vector<int> given = blocks::count_bits(counter, bits);
      wrong += static_cast<int>(given.size()) != shape.gives || weighed(given) != expected;
    }
    CAPTURE(static_cast<int>(counter));
    CHECK(wrong == 0);
  }
}

TEST_CASE("the ternary adder adds three numbers modulo its width with one LUT per bit") {
  int wrong = 0;
  for (std::uint64_t a = 0; a < 32; ++a)
    for (std::uint64_t b = 0; b < 32; ++b)
      for (std::uint64_t c = 0; c < 32; ++c) wrong += blocks::add_three(a, b, c, 5) != ((a + b + c) & 31);
  CHECK(wrong == 0);
  constexpr std::uint64_t kOnes = 0xff'ffff'ffff;
  CHECK(blocks::add_three(kOnes, kOnes, kOnes, 40) == (3 * kOnes & kOnes));
  CHECK(blocks::add_three(kOnes, 1, 0, 40) == 0);
}

TEST_CASE("a compressor tree gives the sum of its heap whatever its form") {
  const std::uint64_t seed = GENERATE(range(1, 21));
  CAPTURE(seed);
  base::Random random(seed, "compressor");
  arith::Heights heights;
  const int width = random.uniform(1, 30), highest = random.uniform(1, 60);
  for (int column = 0; column < width; ++column) heights.push_back(random.uniform(0, highest));
  const CompressorPlan plan(heights);
  for (const int height : plan.rows()) REQUIRE(height <= 3);
  for (int i = 0; i < 20; ++i) {
    std::vector<std::vector<int>> columns;
    std::uint64_t sum = 0;
    for (const int height : heights) {
      columns.emplace_back();
      for (int bit = 0; bit < height; ++bit) {
        columns.back().push_back(i == 0 || random.chance(50) ? 1 : 0);
        sum += static_cast<std::uint64_t>(columns.back().back()) << (columns.size() - 1);
      }
    }
    REQUIRE(blocks::compress(plan, columns) == (sum & primitives::ones(width)));
  }
}

TEST_CASE("a heap of three rows needs no stage but only the adder's LUTs from the first column with two bits") {
  const CompressorPlan plan({1, 1, 3, 2, 1});
  CHECK(plan.stages().empty());
  CHECK(plan.latency() == 1);
  CHECK(plan.luts() == 3);
  CHECK(plan.registers() == 5);
}

TEST_CASE("twelve bits in two sixes are one counter of four LUTs and five bits") {
  const CompressorPlan plan({6, 0, 6, 0, 0});
  REQUIRE(plan.stages().size() == 1);
  CHECK(plan.stages()[0].heights == arith::Heights{1, 1, 1, 1, 1});
  CHECK(plan.luts() == 4);
  CHECK(plan.registers() == 10);
}

}  // namespace fansim::gpc_test

// SPDX-License-Identifier: Apache-2.0
#include "rules/clock_crossing.h"

#include <catch2/catch.hpp>

namespace fansim::clock_crossing_test {

namespace {

// Counts, by definition, the edges of `to` that lie strictly after edge t of `from`, one by one.
std::int64_t counted(std::int64_t t, const base::Rational& from, const base::Rational& to, int stages) {
  std::int64_t edge = 0;
  for (int seen = 0; seen < stages;) {
    ++edge;
    // This compares edge / to > t / from without division.
    if (edge * to.denominator * from.numerator > t * from.denominator * to.numerator) ++seen;
  }
  return edge;
}

}  // namespace

TEST_CASE("an item is seen at the second edge strictly after the one that committed it") {
  using base::Rational;
  // With equal clocks, the edge at the same instant does not count.
  CHECK(rules::crossing_edge(10, {250, 1}, {250, 1}, 2) == 12);
  // 200 to 1000/3 MHz: edge 3 of the first is at 15 ns, edge 5 of the other too; 6 and 7 are later.
  CHECK(rules::crossing_edge(3, {200, 1}, {1000, 3}, 2) == 7);
  // Edge 4 is at 20 ns; edges 7 (21 ns) and 8 are later.
  CHECK(rules::crossing_edge(4, {200, 1}, {1000, 3}, 2) == 8);
  // Back: edge 7 is at 21 ns, edges 5 (25 ns) and 6 are later.
  CHECK(rules::crossing_edge(7, {1000, 3}, {200, 1}, 2) == 6);
}

TEST_CASE("the closed form counts what counting counts for every pair of the platform's clocks") {
  const base::Rational clocks[] = {{100, 1}, {200, 1}, {250, 1}, {1000, 3}, {1600, 3}, {3200, 3}};
  for (const auto& from : clocks)
    for (const auto& to : clocks)
      for (int stages : {1, 2, 3})
        for (std::int64_t t = 0; t < 70; ++t) {
          INFO(from.text() << " to " << to.text() << " edge " << t);
          REQUIRE(rules::crossing_edge(t, from, to, stages) == counted(t, from, to, stages));
        }
}

TEST_CASE("a day of edges is as exact as the first") {
  // 24 h of 1000/3 MHz: a multiple of 3 edges is a whole number of 5 ns periods.
  const std::int64_t day = 28'800'000'000'000;
  CHECK(rules::crossing_edge(day, {1000, 3}, {200, 1}, 2) == day / 5 * 3 + 2);
  CHECK(rules::crossing_edge(day + 1, {1000, 3}, {200, 1}, 2) == day / 5 * 3 + 2);
}

}  // namespace fansim::clock_crossing_test

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "accelerators/tiled/paths/clocks.h"
#include "accelerators/tiled/paths/path_book.h"
#include "accelerators/tiled/paths/two_stage_pipe.h"
#include "base/random.h"
#include "rules/clock_crossing.h"
#include "sim/pipeline.h"

namespace fansim::parts_test {

using timing::Edge;

namespace {

// The edges at which `items`, each there from its edge on, enter and leave a pipeline before a stream whose reader
// takes them at `popped`, edge by edge.
struct Passage {
  std::vector<Edge> entered, left;
};
Passage step_by_step(const std::vector<Edge>& items, const std::vector<Edge>& popped) {
  Passage passage;
  sim::Pipeline<int> pipeline(2);
  for (Edge now = 1; passage.left.size() < items.size(); ++now) {
    if (pipeline.out_valid()) {
      const std::size_t i = passage.left.size();
      if (i >= 2 && popped[i - 2] >= now) continue;  // two are in the stream
      passage.left.push_back(now);
    }
    pipeline.advance();
    const std::size_t next = passage.entered.size();
    if (next < items.size() && items[next] <= now) {
      pipeline.enter() = 0;
      passage.entered.push_back(now);
    }
  }
  return passage;
}

}  // namespace

TEST_CASE("edges are scaled exactly for clocks of any ratio") {
  base::Random random(7);
  for (int i = 0; i < 20000; ++i) {
    const int most = random.chance(50) ? 100 : 2'000'000;
    const base::Rational from{random.uniform(1, most), random.uniform(1, most)};
    const base::Rational to{random.uniform(1, most), random.uniform(1, most)};
    const Edge edge = random.chance(50) ? random.uniform(0, 100) : random.uniform(0, 2'000'000'000);
    INFO(fmt::format("edge {} from {} to {} MHz", edge, from.text(), to.text()));
    const tiled::EdgeRatio ratio(from, to);
    REQUIRE(ratio.floor(edge) + 2 == rules::crossing_edge(edge, from, to, 2));
    const bool whole = tiled::EdgeRatio(to, from).floor(ratio.floor(edge)) == edge;
    REQUIRE(ratio.ceil(edge) - ratio.floor(edge) == (whole ? 0 : 1));
  }
}

TEST_CASE("a pipeline of two stages is held as the clocked one is") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    INFO("seed " << seed);
    base::Random random(seed);
    const int slow = random.uniform(0, 3), late = random.uniform(0, 3);
    std::vector<Edge> items, popped;
    tiled::TwoStagePipe pipe;
    std::vector<Edge> entered, left;
    for (std::size_t i = 0; i < 40; ++i) {
      items.push_back((i == 0 ? 0 : items[i - 1]) + 1 + (random.chance(40) ? random.uniform(0, late) : 0));
      if (pipe.entered() == static_cast<std::int64_t>(i)) REQUIRE(pipe.enter(items[i]));
      entered.push_back(pipe.entered(static_cast<std::int64_t>(i)));
      pipe.leave(i < 2 ? 0 : popped[i - 2] + 1);
      left.push_back(pipe.left(static_cast<std::int64_t>(i)));
      popped.push_back(std::max(left[i], i == 0 ? 0 : popped[i - 1]) + 1 +
                       (random.chance(40) ? random.uniform(0, slow) : 0));
    }
    const Passage expected = step_by_step(items, popped);
    REQUIRE(entered == expected.entered);
    REQUIRE(left == expected.left);
  }
}

TEST_CASE("a book finds every picture again, and of a state first the line that was used last") {
  tiled::PathBook book;
  base::Random random(8);
  std::vector<std::vector<std::int32_t>> pictures;
  for (std::int32_t i = 0; i < 3000; ++i) {
    std::vector<std::int32_t> picture{i};
    for (int n = random.uniform(0, 40); n > 0; --n) picture.push_back(random.uniform(-3, 3));
    pictures.push_back(picture);
    REQUIRE(book.find({}, picture) == i);
  }
  for (std::int32_t i = 0; i < 3000; ++i) REQUIRE(book.find({}, pictures[static_cast<std::size_t>(i)]) == i);

  for (std::uint64_t told = 0; told < 3; ++told) {
    tiled::PathBook::Line line;
    line.told = told;
    book.add(7, line, {}, {});
  }
  const auto lines = [&] {
    std::vector<std::uint64_t> told;
    for (int at = book[7].lines; at != tiled::PathBook::kNone; at = book.line(at).before)
      told.push_back(book.line(at).told);
    return told;
  };
  CHECK(lines() == std::vector<std::uint64_t>{2, 1, 0});
  book.put_first(7, 1, 0);
  CHECK(lines() == std::vector<std::uint64_t>{0, 2, 1});
  book.put_first(7, 0, 2);
  CHECK(lines() == std::vector<std::uint64_t>{2, 0, 1});
}

}  // namespace fansim::parts_test

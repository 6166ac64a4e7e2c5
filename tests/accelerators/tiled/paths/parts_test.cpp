// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <utility>
#include <vector>

#include "accelerators/tiled/paths/clocks.h"
#include "accelerators/tiled/paths/path_book.h"
#include "accelerators/tiled/paths/run_issuer.h"
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

// Runs of tiles, each with the earliest edge of its first one; and how long each of two ends lets each run wait that it
// could pop.
struct Runs {
  std::vector<std::pair<Edge, int>> tiles;
  std::vector<Edge> manager, coder;
};
Runs random_runs(base::Random& random) {
  Runs runs;
  Edge from = 0;
  const int slow_manager = random.uniform(0, 5), slow_coder = random.uniform(0, 5);
  for (int tile = 0; tile < 12; ++tile) {
    runs.tiles.emplace_back(from += random.uniform(0, 30), random.uniform(1, 6));
    for (int i = 0; i < runs.tiles.back().second; ++i) {
      runs.manager.push_back(random.uniform(0, slow_manager));
      runs.coder.push_back(random.uniform(0, slow_coder));
    }
  }
  return runs;
}

// When an end pops the runs that were issued so far.
std::vector<Edge> pops(const std::vector<Edge>& issued, const std::vector<Edge>& waits) {
  std::vector<Edge> popped;
  for (std::size_t i = 0; i < issued.size(); ++i)
    popped.push_back(std::max(issued[i], popped.empty() ? 0 : popped.back()) + 1 + waits[i]);
  return popped;
}

// When runs are issued, edge by edge: while either stream holds two that were not popped before, none is.
std::vector<Edge> issued_step_by_step(const Runs& runs) {
  std::vector<Edge> issued;
  Edge now = 0;
  for (const auto& [from, count] : runs.tiles) {
    now = std::max(now, from);
    for (int left = count; left > 0; ++now) {
      const auto waiting = [&](const std::vector<Edge>& popped) {
        return std::count_if(popped.begin(), popped.end(), [&](Edge edge) { return edge >= now; });
      };
      if (waiting(pops(issued, runs.manager)) == 2 || waiting(pops(issued, runs.coder)) == 2) continue;
      issued.push_back(now);
      --left;
    }
  }
  return issued;
}

// The same by an issuer, which is put away and back again now and then.
std::vector<Edge> issued_by_issuer(const Runs& runs, base::Random& random) {
  const tiled::TiledClocks clocks{tiled::Config{}};
  std::vector<Edge> issued;
  std::vector<tiled::PictureWord> numbers;
  std::size_t by_manager = 0, by_coder = 0;
  tiled::RunIssuer issuer;
  const auto pop = [&](bool manager) {
    if (manager)
      issuer.pop_manager(pops(issued, runs.manager)[by_manager++]);
    else
      issuer.pop_coder(pops(issued, runs.coder)[by_coder++]);
  };
  for (std::size_t tile = 0; tile < runs.tiles.size(); ++tile) {
    const Edge from = std::max(runs.tiles[tile].first, issued.empty() ? 0 : issued.back() + 1);
    const auto put_away = [&] {
      const auto next = [&](std::size_t popped, const std::vector<Edge>& waits) {
        const std::vector<Edge> edges = pops(issued, waits);
        return popped < edges.size() ? edges[popped] : issued.back() + 2;
      };
      if (issued.empty() || !random.chance(30)) return;
      const tiled::RunIssuer::Next bounds{next(by_manager, runs.manager), next(by_coder, runs.coder), from};
      const Edge meeting = random.uniform(0, 100);
      tiled::TakenPicture taken(clocks, meeting, numbers);
      issuer.show(taken, bounds);
      issuer = {};
      tiled::PutBackPicture put_back(clocks, meeting, numbers.data());
      issuer.show(put_back, bounds);
    };
    put_away();
    issuer.begin_tile(from);
    for (int left = runs.tiles[tile].second; left > 0;) {
      if (issuer.has_room()) {
        issuer.issue(--left == 0);
        issued.push_back(issuer.issued());
      } else {
        pop(by_manager + 2 == issued.size());
      }
      while (random.chance(30) && issuer.manager_waits()) pop(true);
      while (random.chance(30) && issuer.coder_waits()) pop(false);
      if (left > 0) put_away();
    }
  }
  return issued;
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

TEST_CASE("runs are issued as streams of two entries have room whenever their issuer is put away between") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    INFO("seed " << seed);
    base::Random random(seed);
    const Runs runs = random_runs(random);
    REQUIRE(issued_by_issuer(runs, random) == issued_step_by_step(runs));
  }
}

TEST_CASE("a book finds every picture again and of a state first the line that was used last") {
  tiled::PathBook book;
  base::Random random(8);
  std::vector<std::vector<tiled::PictureWord>> pictures;
  for (int i = 0; i < 3000; ++i) {
    std::vector<tiled::PictureWord> picture{static_cast<tiled::PictureWord>(i),
                                            static_cast<tiled::PictureWord>(i >> 8)};
    picture.resize(tiled::kPictureWords * static_cast<std::size_t>(random.uniform(1, 11)));
    for (std::size_t n = 2; n < picture.size(); ++n)
      picture[n] = static_cast<tiled::PictureWord>(random.uniform(-3, 3));
    pictures.push_back(picture);
    REQUIRE(book.find({}, picture.data(), picture.size()) == i);
  }
  for (int i = 0; i < 3000; ++i) {
    const std::vector<tiled::PictureWord>& picture = pictures[static_cast<std::size_t>(i)];
    REQUIRE(book.find({}, picture.data(), picture.size()) == i);
  }

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

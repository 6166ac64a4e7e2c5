// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/timing/run_issuer.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <utility>
#include <vector>

#include "base/random.h"
#include "timing/replay/snapshot.h"

namespace fansim::run_issuer_test {

using timing::Edge;

namespace {

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

// The same by an issuer, of which a snapshot is taken and restored now and then.
std::vector<Edge> issued_by_issuer(const Runs& runs, base::Random& random) {
  constexpr timing::CommonEdges kCommon{2, 3};
  std::vector<Edge> issued;
  std::vector<timing::SnapshotByte> buffer;
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
    const auto restore = [&] {
      const auto next = [&](std::size_t popped, const std::vector<Edge>& waits) {
        const std::vector<Edge> edges = pops(issued, waits);
        return popped < edges.size() ? edges[popped] : issued.back() + 2;
      };
      if (issued.empty() || !random.chance(30)) return;
      const tiled::RunIssuer::Next bounds{next(by_manager, runs.manager), next(by_coder, runs.coder), from};
      const Edge common_edge = random.uniform(0, 100);
      timing::SnapshotWriter writer(kCommon, buffer);
      writer.origin(common_edge * kCommon.fabric);
      issuer.visit(writer, bounds);
      issuer = {};
      timing::SnapshotReader reader(kCommon, common_edge, buffer.data());
      issuer.visit(reader, bounds);
    };
    restore();
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
      if (left > 0) restore();
    }
  }
  return issued;
}

}  // namespace

TEST_CASE("runs are issued as streams of two entries have room whenever their issuer is restored between") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    INFO("seed " << seed);
    base::Random random(seed);
    const Runs runs = random_runs(random);
    REQUIRE(issued_by_issuer(runs, random) == issued_step_by_step(runs));
  }
}

}  // namespace fansim::run_issuer_test

// SPDX-License-Identifier: Apache-2.0
#include "explore/neighbours.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <set>

#include "synthetic.h"

namespace fansim::neighbours_test {

using namespace explore;

namespace {

Space small_space() {
  return test::space_of(test::kSmallSpace + "objectives: [latency_ms, lut]\nsearch: {method: exhaustive}\n");
}

}  // namespace

TEST_CASE("neighbours of a front are exactly its infeasible points of one step with what excludes them") {
  const Space space = small_space();
  const test::Synthetic model(space, 3);
  const SearchResult found = search(space, model, {});
  REQUIRE(found.front.size() > 1);
  const Neighbours near = infeasible_neighbours(space, model, found.front, {});
  CHECK(near.unknown == 0);

  std::set<Point> expected;
  for (const Scored& member : found.front)
    for (std::size_t p = 0; p < member.point.size(); ++p)
      for (const int by : {-1, 1}) {
        Point point = member.point;
        point[p] += by;
        if (!space.whole().contains(point)) continue;
        const Outcome outcome = model.evaluate(point);
        const bool feasible = outcome.kind == Outcome::Kind::scored && of(outcome.metrics, Metric::dsp) <= 200 &&
                              of(outcome.metrics, Metric::lut_percent) <= 60;
        if (!feasible) expected.insert(point);
      }
  std::set<Point> listed;
  for (const Neighbour& one : near.excluded) {
    CHECK(listed.insert(one.scored.point).second);
    int steps = 0;
    const Point& member = found.front[one.member].point;
    for (std::size_t p = 0; p < member.size(); ++p) steps += std::abs(member[p] - one.scored.point[p]);
    CHECK(steps == 1);
    CHECK(member[one.parameter] != one.scored.point[one.parameter]);
    REQUIRE(!one.reasons.empty());
    const Outcome& outcome = one.scored.outcome;
    if (outcome.kind == Outcome::Kind::misfit) {
      CHECK(one.reasons.front() == "cannot be scheduled");
    } else if (of(outcome.metrics, Metric::dsp) > 200) {
      CHECK(one.reasons.front() == fmt::format("dsp {:.6g} is above 200", of(outcome.metrics, Metric::dsp)));
    }
  }
  CHECK(listed == expected);
  CHECK(!expected.empty());
}

TEST_CASE("so many neighbours are looked at while the rest is counted and none when the search is stopped") {
  const Space space = small_space();
  const test::Synthetic model(space, 3);
  const SearchResult found = search(space, model, {});
  const std::size_t all = infeasible_neighbours(space, model, found.front, {}, 0).unknown;
  CHECK(all > 2);
  model.evaluations = 0;
  CHECK(infeasible_neighbours(space, model, found.front, {}, 2).unknown == all - 2);
  CHECK(model.evaluations == 2);
  SearchOptions stopped;
  stopped.stop_requested = [] { return true; };
  CHECK(infeasible_neighbours(space, model, found.front, stopped).unknown == all);
}

TEST_CASE("what of an expression does not hold is told with its values") {
  const Names names{"dsp", "lut", "clock"};
  const auto broken = [&](const std::string& text) {
    return parse_expression(text, names, {"s.yaml", 1, 1}, "constraint").broken({612, 90, 250}, names);
  };
  CHECK(broken("dsp <= 700").empty());
  CHECK(broken("dsp <= 400") == std::vector<std::string>{"dsp 612 is above 400"});
  CHECK(broken("lut >= clock") == std::vector<std::string>{"clock 250 is above lut 90"});
  CHECK(broken("dsp < 612 and 2 * lut <= 100") ==
        std::vector<std::string>{"dsp 612 is not below 612", "180 is above 100"});
  CHECK(broken("dsp == lut") == std::vector<std::string>{"'dsp == lut' does not hold"});
}

}  // namespace fansim::neighbours_test

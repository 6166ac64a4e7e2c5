// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <atomic>
#include <catch2/catch.hpp>

#include "synthetic.h"

namespace fansim::exact_test {

using namespace explore;

namespace {

constexpr const char* kObjectives[] = {"[latency_ms]", "[latency_ms, lut]", "[frames_per_s, dsp, lut]"};

Space space_with(const std::string& objectives, const std::string& method, const std::string& extra = "") {
  return test::space_of(test::kSmallSpace + "objectives: " + objectives + "\nsearch: {method: " + method + extra +
                        "}\n");
}

SearchResult search_with(const Space& space, const Model& model, int jobs = 2) {
  SearchOptions options;
  options.jobs = jobs;
  return search(space, model, options);
}

}  // namespace

TEST_CASE("exhaustive search and branch and bound find exactly the front that trying all pairs finds") {
  for (const char* method : {"exhaustive", "branch_and_bound"}) {
    for (const char* objectives : kObjectives) {
      for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        CAPTURE(method, objectives, seed);
        const Space space = space_with(objectives, method);
        const test::Synthetic model(space, seed);
        const SearchResult result = search_with(space, model);
        CHECK(test::points_of(result.front) == test::front_by_force(space, model));
        CHECK_FALSE(result.front.empty());
        CHECK(result.proven);
      }
    }
  }
}

TEST_CASE("every point of a proven search is evaluated or ruled out once") {
  for (const char* method : {"exhaustive", "branch_and_bound"}) {
    for (const char* objectives : kObjectives) {
      CAPTURE(method, objectives);
      const Space space = space_with(objectives, method);
      const test::Synthetic model(space);
      const Counts counts = search_with(space, model).counts;
      CHECK(counts.space == 20 * 7 * 3);
      CHECK(static_cast<double>(counts.evaluated) + counts.cannot_meet + counts.cannot_win == counts.space);
      CHECK(counts.evaluated == model.evaluations);
      CHECK(counts.feasible + counts.infeasible + counts.misfit + counts.failed == counts.evaluated);
      CHECK(counts.cannot_meet > 0);
    }
  }
}

TEST_CASE("branch and bound simulates fewer points than the space has when its bounds are good") {
  const Space space = space_with("[latency_ms]", "branch_and_bound");
  const test::Synthetic model(space);
  CHECK(search_with(space, model).counts.evaluated < 100);
}

TEST_CASE("the front has the first of points with the same goals whatever bounds say of them") {
  const Space space = test::space_of(
      "parameters: {a: {range: [1, 40]}, b: [1, 2], c: [1]}\nobjectives: [lut]\nsearch: {method: exhaustive}\n");
  class Flat final : public Model {
    Outcome evaluate(const Point&) const override { return {}; }
  };
  const SearchResult result = search_with(space, Flat());
  CHECK(test::points_of(result.front) == std::vector<Point>{{0, 0, 0}});
}

TEST_CASE("a model without bounds is searched exactly all the same") {
  const Space space = space_with("[latency_ms, dsp]", "branch_and_bound");
  class Unbounded final : public test::Synthetic {
   public:
    using Synthetic::Synthetic;
    Bounds bounds(const Box&, Effort) const override { return {}; }
  };
  const Unbounded model(space);
  CHECK(test::points_of(search_with(space, model).front) == test::front_by_force(space, model));
}

TEST_CASE("any number of jobs gives the same front and the same counts") {
  for (const char* method :
       {"exhaustive", "branch_and_bound", "nsga2, generations: 8, population: 20", "annealing, chains: 5, steps: 60"}) {
    CAPTURE(method);
    const Space space = space_with("[latency_ms, lut]", method);
    const test::Synthetic model(space);
    const SearchResult one = search_with(space, model, 1);
    for (const int jobs : {2, 3, 8}) {
      const SearchResult many = search_with(space, model, jobs);
      CHECK(test::points_of(many.front) == test::points_of(one.front));
      CHECK(many.counts.evaluated == one.counts.evaluated);
      CHECK(many.counts.cannot_meet == one.counts.cannot_meet);
      CHECK(many.counts.cannot_win == one.counts.cannot_win);
    }
  }
}

TEST_CASE("the heuristics find points that no point they saw dominates and say that nothing is proven") {
  for (const char* method : {"nsga2, generations: 10, population: 20", "annealing, chains: 8, steps: 40"}) {
    CAPTURE(method);
    const Space space = space_with("[latency_ms, lut]", method);
    const test::Synthetic model(space);
    const SearchResult result = search_with(space, model);
    CHECK_FALSE(result.proven);
    CHECK(result.counts.evaluated < 20 * 7 * 3);
    REQUIRE_FALSE(result.front.empty());
    for (const Scored& a : result.front)
      for (const Scored& b : result.front) CHECK_FALSE(dominates(a.goals, b.goals));
  }
}

TEST_CASE("given time the heuristics find the proven optimum of a small space") {
  for (const char* method : {"nsga2, generations: 60, population: 40", "annealing, chains: 16, steps: 600"}) {
    CAPTURE(method);
    const Space space = space_with("[latency_ms]", method);
    const test::Synthetic model(space);
    CHECK(test::points_of(search_with(space, model).front) == test::front_by_force(space, model));
  }
}

TEST_CASE("another seed is another walk") {
  const Space space = space_with("[latency_ms, lut]", "nsga2, generations: 3, population: 10");
  const test::Synthetic model(space);
  std::vector<std::int64_t> evaluated;
  std::vector<std::vector<Point>> fronts;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    SearchOptions options;
    options.seed = seed;
    const SearchResult result = search(space, model, options);
    fronts.push_back(test::points_of(result.front));
  }
  CHECK(std::count(fronts.begin(), fronts.end(), fronts[0]) < 4);
}

TEST_CASE("an evaluation that breaks down loses its point only and the result names it") {
  const Space space = space_with("[latency_ms]", "exhaustive");
  class Fragile final : public test::Synthetic {
   public:
    using Synthetic::Synthetic;
    Outcome evaluate(const Point& point) const override {
      if (calls++ == 0) {
        lost = point;
        throw std::runtime_error("division by zero");
      }
      return Synthetic::evaluate(point);
    }
    mutable std::atomic<int> calls{0};
    mutable Point lost;
  };
  const Fragile model(space);
  const SearchResult result = search_with(space, model);
  REQUIRE(result.failures.size() == 1);
  CHECK(space.text(result.failures[0].point) == space.text(model.lost));
  CHECK(result.failures[0].outcome.reason == "division by zero");
  CHECK_FALSE(result.front.empty());
  CHECK_FALSE(result.proven);
}

TEST_CASE("a search that is told to stop gives what it has") {
  const Space space = space_with("[latency_ms]", "exhaustive");
  const test::Synthetic model(space);
  SearchOptions options;
  options.stop_requested = [&model] { return model.evaluations >= 20; };
  const SearchResult result = search(space, model, options);
  CHECK(result.stopped);
  CHECK_FALSE(result.proven);
  CHECK(model.evaluations < 100);
}

TEST_CASE("a constraint that holds for no point is the result before any point is evaluated whatever the method") {
  for (const char* method : {"branch_and_bound", "exhaustive", "nsga2", "annealing"}) {
    CAPTURE(method);
    const Space space =
        test::space_of(std::string("parameters: {a: {range: [2, 4]}, b: [4], c: [1]}\nobjectives: [lut]\n"
                                   "constraints: [lut > 0, dsp < 8]\nsearch: {method: ") +
                       method + "}\n");
    const test::Synthetic model(space);
    const SearchResult result = search(space, model, {});
    REQUIRE(result.unmet.size() == 1);
    CHECK(result.unmet[0].expression.text() == "dsp < 8");
    CHECK(result.unmet[0].where.line == 6);
    CHECK(result.proven);
    CHECK(result.front.empty());
    CHECK(result.counts.cannot_meet == 3);
    CHECK(model.evaluations == 0);
  }
}

}  // namespace fansim::exact_test

// SPDX-License-Identifier: Apache-2.0
#include "explore/guard.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <csignal>
#include <sstream>

#include "synthetic.h"

namespace fansim::guard_test {

using namespace explore;

namespace {

// Recurses deeper than any stack, without a tail call that a compiler could turn into a loop.
int deeper(volatile const int* above, std::int64_t levels) {
  volatile int here[256];
  here[0] = above ? *above + 1 : 0;
  return levels == 0 ? 0 : deeper(here, levels - 1) + here[0];
}

void end_by(int signal) {
  if (signal == SIGSEGV) {
    *static_cast<volatile int*>(::mmap(nullptr, sizeof(int), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) = 1;
  } else {
    ::raise(signal);
  }
}

// Some points end their process.
class Deadly final : public test::Synthetic {
 public:
  Deadly(const Space& space, int signal) : Synthetic(space), signal_(signal) {}

  static bool deadly(const Point& point) { return (point[0] * 31 + point[1] * 7 + point[2]) % 40 == 3; }

  Outcome evaluate(const Point& point) const override {
    if (deadly(point)) end_by(signal_);
    return Synthetic::evaluate(point);
  }
  Bounds bounds(const Box& box, Effort effort) const override {
    if (bounds_too && box.is_point() && deadly(box.first())) end_by(signal_);
    return Synthetic::bounds(box, effort);
  }

  bool bounds_too = false;

 private:
  const int signal_;
};

// The same, and the points are merely lost.
class Losing final : public test::Synthetic {
 public:
  using Synthetic::Synthetic;
  Outcome evaluate(const Point& point) const override {
    if (Deadly::deadly(point)) throw std::runtime_error("lost");
    return Synthetic::evaluate(point);
  }
};

std::string report(const Space& space, const SearchResult& result) {
  std::ostringstream text;
  for (const Scored& scored : result.front) text << space.text(scored.point) << "\n";
  text << "lost\n";
  for (const Scored& scored : result.failures) text << space.text(scored.point) << "\n";
  text << (result.proven ? "proven" : "not proven") << " " << result.counts.evaluated << "\n";
  return text.str();
}

struct Guarded {
  std::string report;
  std::vector<Guard::Crash> crashes;
};

Guarded search_guarded(const Space& space, const Model& model, int jobs, bool with_store) {
  const test::ScratchDirectory folder;
  Guarded guarded;
  Guard guard;
  const auto body = [&]() -> int {
    SearchOptions options;
    options.jobs = jobs;
    options.guard = &guard;
    try {
      std::unique_ptr<Store> store;
      if (with_store) store = std::make_unique<Store>(folder / "s.db", Identity{});
      options.store = store.get();
      base::write_file(folder / "report", report(space, search(space, model, options)));
      store.reset();
    } catch (const std::exception&) {
      ::_exit(1);
    }
    ::_exit(0);
  };
  const int code = guard.run(
      body, [&](const Guard::Crash& crash) { guarded.crashes.push_back(crash); }, [] { return false; });
  REQUIRE(code == 0);
  guarded.report = base::read_file(folder / "report");
  return guarded;
}

Space space_for(const std::string& method) {
  return test::space_of(test::kSmallSpace + "objectives: [latency_ms, lut]\nsearch: {method: " + method + "}\n");
}

}  // namespace

TEST_CASE("a signal in an evaluation loses its point and no other whatever the signal") {
  const Space space = space_for("exhaustive");
  const std::string expected = report(space, [&] {
    const Losing losing(space);
    return search(space, losing, {});
  }());
  CHECK_THAT(expected, Catch::Contains("not proven"));
  for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL}) {
    CAPTURE(signal);
    const Guarded guarded = search_guarded(space, Deadly(space, signal), 2, true);
    CHECK(guarded.report == expected);
    REQUIRE(guarded.crashes.size() > 2);
    for (const Guard::Crash& crash : guarded.crashes) {
      REQUIRE(crash.at.size() == 1);
      CHECK_THAT(crash.at[0], Catch::StartsWith("point a="));
    }
    CHECK(guarded.crashes[0].signal == std::string("SIG") + ::sigabbrev_np(signal));
  }
}

TEST_CASE("points that end their process change no front for any method and jobs with and without a store") {
  for (const char* method : {"exhaustive", "branch_and_bound", "nsga2, generations: 4, population: 12"}) {
    const Space space = space_for(method);
    const Losing losing(space);
    const std::string expected = report(space, search(space, losing, {}));
    for (const int jobs : {1, 2, 5}) {
      for (const bool with_store : {false, true}) {
        CAPTURE(method, jobs, with_store);
        CHECK(search_guarded(space, Deadly(space, SIGABRT), jobs, with_store).report == expected);
      }
    }
  }
}

TEST_CASE("a signal while a box is bounded loses the bounds only") {
  const Space space = space_for("branch_and_bound");
  Deadly model(space, SIGSEGV);
  model.bounds_too = true;
  const Guarded guarded = search_guarded(space, model, 2, true);
  const auto of_bounds = [](const Guard::Crash& c) { return c.at.at(0).rfind("bounds of a=", 0) == 0; };
  CHECK(std::any_of(guarded.crashes.begin(), guarded.crashes.end(), of_bounds));
  const Losing losing(space);
  const std::string front = report(space, search(space, losing, {}));
  CHECK(guarded.report.substr(0, guarded.report.find("lost")) == front.substr(0, front.find("lost")));
}

TEST_CASE("an overflow of the stack is a signal like any other and inner tasks are lost by themselves") {
  Guard guard;
  std::vector<Guard::Crash> crashes;
  const auto body = [&]() -> int {
    int code = 1;
    try {
      const Guard::Task outer(&guard, "outer");
      try {
        const Guard::Task inner(&guard, "inner");
        ::_exit(deeper(nullptr, std::int64_t{1} << 40) & 1);
      } catch (const Lost& lost) {
        code = lost.what() == std::string("inner: SIGSEGV ended its process") ? 7 : 8;
      }
    } catch (const Lost&) {
      code = 9;
    }
    ::_exit(code);
  };
  CHECK(guard.run(
            body, [&](const Guard::Crash& crash) { crashes.push_back(crash); }, [] { return false; }) == 7);
  REQUIRE(crashes.size() == 1);
  CHECK(crashes[0].at == std::vector<std::string>{"outer", "inner"});
}

TEST_CASE("signals at no task end the work after a few attempts and those that no fault sends do so at once") {
  Guard guard;
  int crashes = 0;
  const auto count = [&crashes](const Guard::Crash& crash) { crashes += crash.at.empty() ? 1 : 100; };
  const auto run = [&](int signal) {
    return guard.run(
        [signal]() -> int {
          ::raise(signal);
          ::_exit(0);
        },
        count, [] { return false; });
  };
  CHECK_THROWS_WITH(run(SIGSEGV), Catch::Contains("at nothing that could be left out"));
  CHECK(crashes == 3);
  CHECK(run(SIGKILL) == Guard::kSignalled + SIGKILL);
  CHECK(crashes == 3);
}

TEST_CASE("an interrupt that its parent saw stops the child") {
  Guard guard;
  const auto body = [&guard]() -> int {
    for (int i = 0; i < 2000 && !guard.stop_requested(); ++i) ::usleep(10'000);
    ::_exit(guard.stop_requested() ? 130 : 1);
  };
  CHECK(guard.run(
            body, [](const Guard::Crash&) {}, [] { return true; }) == 130);
}

}  // namespace fansim::guard_test

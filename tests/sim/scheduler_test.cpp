// SPDX-License-Identifier: Apache-2.0
#include "sim/scheduler.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <memory>

#include "sim/reg.h"
#include "sim/violation.h"
#include "support/stream_bench.h"

namespace fansim::scheduler_test {

using sim::Edge;

namespace {

// Remembers, at each of its edges, how many edges the other domain had seen; ends the run at `last`.
class Clocked final : public sim::Module {
 public:
  Clocked(const sc_core::sc_module_name& name, sim::Scheduler& scheduler, sim::ClockDomain& own,
          const sim::ClockDomain& other, Edge last)
      : Module(name), scheduler_(scheduler), other_(other), last_(last) {
    clock(own);
  }
  std::vector<Edge> other_edges;

 private:
  void step() override {
    other_edges.push_back(other_.edge);
    if (now() == last_) scheduler_.finish();
  }
  sim::Scheduler& scheduler_;
  const sim::ClockDomain& other_;
  Edge last_;
};

// Returns the edges of a clock of `f` MHz up to and including the time of edge n of a clock of `g` MHz: floor(n f / g).
Edge edges_until(Edge n, base::Rational g, base::Rational f) {
  return n * g.denominator * f.numerator / (g.numerator * f.denominator);
}

void require_interleaved(base::Rational a, base::Rational b) {
  sim::Scheduler scheduler("scheduler");
  sim::ClockDomain& first = scheduler.domain("first", a);
  sim::ClockDomain& second = scheduler.domain("second", b);
  scheduler.watchdog = 1'000'000'000;
  Clocked one("one", scheduler, first, second, 30000), two("two", scheduler, second, first, -1);
  scheduler.run();
  REQUIRE(one.other_edges.size() == 30000);
  for (std::size_t n = 1; n <= one.other_edges.size(); ++n)
    REQUIRE(one.other_edges[n - 1] == edges_until(static_cast<Edge>(n), a, b));
  for (std::size_t n = 1; n <= two.other_edges.size(); ++n)
    REQUIRE(two.other_edges[n - 1] == edges_until(static_cast<Edge>(n), b, a));
  REQUIRE(static_cast<Edge>(two.other_edges.size()) >= edges_until(30000, a, b) - 1);
}

// Moves no stream; says that it gets on if told to.
class Idle final : public sim::Module {
 public:
  explicit Idle(const sc_core::sc_module_name& name) : Module(name) {}
  bool busy = false;
  std::string waiting_for() const override { return "a friend"; }

 private:
  void step() override {
    if (busy) progress();
  }
};

}  // namespace

TEST_CASE("edges of two clocks of 250 and 333 1/3 MHz fall in exact rational order") {
  require_interleaved({250, 1}, {1000, 3});
}

TEST_CASE("edges of a slow first clock and a DDR4-2133 clock fall in exact rational order") {
  require_interleaved({75, 2}, {3200, 3});
}

TEST_CASE("edges of clocks of the largest terms fall in exact rational order") {
  require_interleaved({9'999'991, 30'000}, {9'999'973, 39'999});
}

TEST_CASE("clocks of equal frequency that are written differently always have their edges together") {
  require_interleaved({2000, 8}, {250, 1});
}

TEST_CASE("a block belongs to the first domain unless told otherwise and reset comes before the first edge") {
  sim::Scheduler scheduler("scheduler");
  sim::ClockDomain& first = scheduler.domain("first", {100, 1});
  struct Block final : sim::Module {
    Block(const sc_core::sc_module_name& name, sim::Scheduler& s) : Module(name), scheduler(s) {}
    void reset() override { ++resets; }
    void step() override {
      stepped_after_reset &= resets == 1;
      if (now() == 10) scheduler.finish();
    }
    sim::Scheduler& scheduler;
    int resets = 0;
    bool stepped_after_reset = true;
  } block("block", scheduler);
  scheduler.run();
  CHECK(&block.domain() == &first);
  CHECK(block.resets == 1);
  CHECK(block.stepped_after_reset);
  CHECK(first.edge == 10);
  CHECK(scheduler.finished());
}

TEST_CASE("joining two clock domains by a stream is refused when the design is elaborated") {
  sim::Scheduler scheduler("scheduler");
  scheduler.domain("fabric", {250, 1});
  sim::ClockDomain& memory = scheduler.domain("memory", {1000, 3});
  sim::Stream<int> stream("stream");
  test::Source<int> source("source");
  test::Sink<int> sink("sink");
  source.out(stream);
  sink.in(stream);
  sink.clock(memory);
  REQUIRE_THROWS_WITH(scheduler.run(),
                      Catch::Contains("sink: ") && Catch::Contains("joins two clock domains without a converter"));
}

TEST_CASE("blocks without a scheduler are refused when the simulation starts") {
  Idle idle("idle");
  REQUIRE_THROWS_WITH(sc_core::sc_start(),
                      Catch::Contains("idle: nobody steps this block") && Catch::Contains("sim::Scheduler"));
}

TEST_CASE("a scheduler without a clock is refused") {
  sim::Scheduler scheduler("scheduler");
  Idle idle("idle");
  REQUIRE_THROWS_WITH(scheduler.run(), Catch::Contains("scheduler: a scheduler without a clock"));
}

TEST_CASE("a block on the clock of another scheduler is refused") {
  sim::Scheduler one("one"), two("two");
  sim::ClockDomain& first = one.domain("first", {100, 1});
  two.domain("second", {100, 1});
  Clocked block("block", one, first, first, 10);
  REQUIRE_THROWS_WITH(one.run(), Catch::Contains("block: clocked by first, which is no clock of two"));
}

TEST_CASE("a violation is no silence either where sc_start() is called in place of run()") {
  sim::Scheduler scheduler("scheduler");
  scheduler.domain("pl", {100, 1});
  scheduler.watchdog = 50;
  Idle idle("idle");
  REQUIRE_THROWS_WITH(sc_core::sc_start(), Catch::Contains("watchdog: nothing moved for 50 cycles"));
}

TEST_CASE("a stream within the second domain moves at that domain's rate") {
  sim::Scheduler scheduler("scheduler");
  sim::ClockDomain& slow = scheduler.domain("slow", {100, 1});
  sim::ClockDomain& fast = scheduler.domain("fast", {300, 1});
  sim::Stream<int> stream("stream");
  std::vector<int> items(90, 1);
  test::Source<int> source("source", items);
  test::Sink<int> sink("sink");
  source.out(stream);
  sink.in(stream);
  source.clock(fast);
  sink.clock(fast);
  Clocked end("end", scheduler, slow, fast, 40);
  scheduler.run();
  REQUIRE(sink.count() == 90);
  CHECK(sink.edges().back() == 91);
  CHECK(end.other_edges[29] == 90);
}

TEST_CASE("the watchdog stops a run in which nothing moves and says who is full and who waits for what") {
  test::Bench bench;
  bench.scheduler.watchdog = 50;
  sim::Stream<int> stream("stuck");
  test::Source<int> source("source", {1, 2, 3});
  test::Sink<int> sink("sink");
  source.out(stream);
  sink.in(stream);
  sink.not_before = 1000;
  Idle idle("lonely");
  REQUIRE_THROWS_WITH(bench.run(500), Catch::Contains("watchdog: nothing moved for 50 cycles") &&
                                          Catch::Contains("stuck is full after 0 beats") &&
                                          Catch::Contains("lonely waits for a friend") && Catch::Contains("cycle 53"));
}

TEST_CASE("a block that reports progress keeps the watchdog quiet") {
  test::Bench bench;
  bench.scheduler.watchdog = 50;
  Idle idle("idle");
  idle.busy = true;
  REQUIRE_FALSE(bench.run_until([] { return false; }, 500));
}

TEST_CASE("movement in any clock domain keeps the watchdog quiet") {
  sim::Scheduler scheduler("scheduler");
  sim::ClockDomain& first = scheduler.domain("first", {100, 1});
  sim::ClockDomain& second = scheduler.domain("second", {30, 1});
  scheduler.watchdog = 20;
  Idle idle("idle");
  idle.clock(second);
  idle.busy = true;
  Clocked end("end", scheduler, first, second, 1000);
  REQUIRE_NOTHROW(scheduler.run());
  CHECK(first.edge == 1000);
}

TEST_CASE("a sleeping block takes an item at the very edge an awake one would") {
  struct Sleeper final : sim::Module {
    explicit Sleeper(const sc_core::sc_module_name& name) : Module(name) {}
    sim::StreamIn<int> in{"in"};
    std::vector<Edge> edges;
    int steps = 0;
    void step() override {
      ++steps;
      if (in.empty()) {
        sleep();
        return;
      }
      if (in.can_pop()) {
        in.pop();
        edges.push_back(now());
      }
    }
  };
  test::Bench bench;
  // One sleeper steps before its source, one after it.
  sim::Stream<int> early_stream("early_stream"), late_stream("late_stream");
  Sleeper early("early");
  test::Source<int> early_source("early_source"), late_source("late_source");
  Sleeper late("late");
  early_source.out(early_stream);
  early.in(early_stream);
  late_source.out(late_stream);
  late.in(late_stream);
  for (Edge edge : {5, 6, 7, 40, 100, 101}) {
    early_source.add(1, edge);
    late_source.add(1, edge);
  }
  bench.run(200);
  CHECK(early.edges == std::vector<Edge>{6, 7, 8, 41, 101, 102});
  CHECK(late.edges == early.edges);
  CHECK(early.steps < 25);
  CHECK(late.steps < 25);
}

TEST_CASE("those of many sleeping blocks that somebody wakes step once at this edge or the next") {
  constexpr int kSleepers = 21;
  struct Sleeper final : sim::Module {
    using Module::Module;
    std::vector<Edge> edges;
    void step() override {
      edges.push_back(now());
      sleep();
    }
  };
  // Wakes the n-th sleeper at edge 10 n + 5.
  struct Waker final : sim::Module {
    Waker(const sc_core::sc_module_name& name, std::vector<std::unique_ptr<Sleeper>>& sleepers)
        : Module(name), sleepers_(sleepers) {}
    void step() override {
      const auto n = static_cast<std::size_t>(now() / 10);
      if (now() % 10 == 5 && n < sleepers_.size()) sleepers_[n]->wake();
    }
    std::vector<std::unique_ptr<Sleeper>>& sleepers_;
  };
  test::Bench bench;
  std::vector<std::unique_ptr<Sleeper>> before, behind;
  for (int i = 0; i < kSleepers; ++i) before.push_back(std::make_unique<Sleeper>(fmt::format("before{}", i).c_str()));
  Waker first("first", before), second("second", behind);
  for (int i = 0; i < kSleepers; ++i) behind.push_back(std::make_unique<Sleeper>(fmt::format("behind{}", i).c_str()));
  bench.run(10 * kSleepers + 10);
  for (std::size_t i = 0; i < kSleepers; ++i) {
    const auto woken = static_cast<Edge>(10 * i + 5);
    CHECK(before[i]->edges == std::vector<Edge>{1, woken + 1});
    CHECK(behind[i]->edges == std::vector<Edge>{1, woken});
  }
}

TEST_CASE("a violation names the instance and the rule and the cycle") {
  struct Breaker final : sim::Module {
    explicit Breaker(const sc_core::sc_module_name& name) : Module(name) {}
    void step() override {
      if (now() == 42) violation("RLAST at beat 7 of 16");
    }
  };
  test::Bench bench;
  Breaker breaker("dma");
  REQUIRE_THROWS_WITH(bench.run(100), "dma: RLAST at beat 7 of 16, cycle 42");
}

TEST_CASE("a stream with more readers than a stream may have is refused") {
  test::Bench bench;
  sim::Stream<int> stream("shared");
  std::vector<std::unique_ptr<test::Sink<int>>> sinks;
  for (const char* name : {"a", "b", "c", "d"}) {
    sinks.push_back(std::make_unique<test::Sink<int>>(name));
    sinks.back()->in(stream);
  }
  REQUIRE_THROWS_WITH(bench.run(5), Catch::Contains("shared: more than 3 readers"));
}

TEST_CASE("a run ends where it is asked to stop between batches") {
  test::Bench bench;
  int asked = 0;
  bench.scheduler.stop_requested = [&] { return ++asked == 3; };
  REQUIRE_FALSE(bench.run_until([] { return false; }, 1'000'000));
  CHECK(asked == 3);
  CHECK(bench.now() < 100'000);
}

TEST_CASE("counters belong to their block and count until cleared") {
  struct Block final : sim::Module {
    explicit Block(const sc_core::sc_module_name& name) : Module(name) {}
    void step() override { ++beats; }
    sim::Counter beats{*this, "beats", "beats", "edges seen"};
    sim::Counter bytes{*this, "bytes", "bytes", "bytes seen"};
  };
  test::Bench bench;
  Block block("block");
  bench.run(100);
  REQUIRE(block.counters().size() == 2);
  CHECK(block.counters()[0]->value() == 100);
  CHECK(std::string(block.counters()[1]->unit) == "bytes");
  block.bytes += 12;
  CHECK(block.bytes.value() == 12);
  block.bytes.clear();
  CHECK(block.bytes.value() == 0);
}

}  // namespace fansim::scheduler_test

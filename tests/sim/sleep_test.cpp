// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <memory>
#include <random>
#include <set>

#include "sim/reg.h"
#include "sim/scheduler.h"
#include "sim/violation.h"
#include "support/stream_bench.h"

namespace fansim::sleep_test {

using sim::Edge;

namespace {

// Sleeps whenever it has stepped, and gets on; may ask for an edge then.
class Sleeper : public sim::Module {
 public:
  explicit Sleeper(const sc_core::sc_module_name& name) : Module(name) {}
  std::vector<Edge> edges;
  std::function<void()> then;
  void tell() { changed(); }

 private:
  void step() override {
    edges.push_back(now());
    progress();
    sleep();
    if (then) then();
  }
};

// Counts edges that it does not step at: from edge 10 on to the one at which it is woken.
class Counting final : public sim::Module {
 public:
  explicit Counting(const sc_core::sc_module_name& name) : Module(name) {}
  sim::Counter waits{*this, "waits", "cycles", "edges"};

 private:
  void step() override {
    waits.stop();
    if (now() < 10 || now() >= 40) return;
    ++waits;
    waits.run();
    sleep();
  }
};

}  // namespace

TEST_CASE("a block wakes at the edges that it asked for whoever else is awake") {
  test::Bench bench;
  Sleeper one("one"), two("two");
  one.then = [&] {
    if (one.edges.size() == 1) {
      one.wake_at(70);
      one.wake_at(30);
    }
  };
  two.then = [&] { two.wake_at(two.now() + 25); };
  bench.run(100);
  CHECK(one.edges == std::vector<Edge>{1, 30, 70});
  CHECK(two.edges == std::vector<Edge>{1, 26, 51, 76});
}

TEST_CASE("each of two hundred blocks steps at the edge at which one before it wakes it or behind one that does") {
  const unsigned seed = std::random_device{}();
  INFO("seed " << seed);
  std::mt19937 random(seed);
  test::Bench bench;
  constexpr std::size_t kBlocks = 200;
  std::vector<std::unique_ptr<Sleeper>> blocks;
  for (std::size_t i = 0; i < kBlocks; ++i) blocks.push_back(std::make_unique<Sleeper>(fmt::format("b{}", i).c_str()));
  std::vector<std::set<Edge>> expected(kBlocks, {1});
  for (std::size_t i = 0; i < kBlocks; ++i) {
    blocks[i]->then = [&, i] {
      for (int wakes = static_cast<int>(random() % 3); wakes > 0; --wakes) {
        const std::size_t other = random() % kBlocks;
        blocks[other]->wake();
        expected[other].insert(other > i ? blocks[i]->now() : blocks[i]->now() + 1);
      }
    };
  }
  bench.run(50);
  for (std::size_t i = 0; i < kBlocks; ++i) {
    INFO("block " << i);
    expected[i].erase(51);
    CHECK(blocks[i]->edges == std::vector<Edge>(expected[i].begin(), expected[i].end()));
  }
}

TEST_CASE("edges at which every block sleeps pass at once up to who wakes next or what is to happen between edges") {
  sim::Scheduler scheduler("scheduler");
  sim::ClockDomain& clock = scheduler.domain("clock", {250, 1});
  scheduler.watchdog = 50'000;
  Sleeper one("one"), woken("woken");
  std::vector<Edge> acts;
  int asked = 0;
  scheduler.stop_requested = [&] {
    ++asked;
    return false;
  };
  one.then = [&] {
    if (one.now() > 1) return scheduler.finish();
    one.wake_at(1'000'000);
  };
  scheduler.at(5'000, [&] {
    acts.push_back(clock.edge);
    woken.wake();
  });
  scheduler.run();
  CHECK(one.edges == std::vector<Edge>{1, 1'000'000});
  CHECK(woken.edges == std::vector<Edge>{1, 5'000});
  CHECK(acts == std::vector<Edge>{4'999});
  CHECK(asked > 200);  // between batches, as ever
}

TEST_CASE("where every block sleeps and none will wake the watchdog says so at the edge at which it would") {
  sim::Scheduler scheduler("scheduler");
  scheduler.domain("clock", {250, 1});
  scheduler.watchdog = 50'000;
  Sleeper one("one");
  one.then = [&] {
    if (one.edges.size() == 1) one.wake_at(300'000);
  };
  REQUIRE_THROWS_WITH(scheduler.run(), Catch::Contains("nothing moved") && Catch::Contains("cycle 350001"));
}

TEST_CASE("a register wakes who reads it at the edge at which its new value is seen before and behind its block") {
  struct Writer final : sim::Module {
    explicit Writer(const sc_core::sc_module_name& name) : Module(name) {}
    sim::Reg<int> value{*this, "value"};
    void step() override {
      if (now() % 20 == 0) value.set(static_cast<int>(now()));
    }
  };
  test::Bench bench;
  Sleeper early("early");
  Writer writer("writer");
  Sleeper late("late");
  std::vector<int> seen;
  for (Sleeper* reader : {&early, &late}) {
    writer.value.wakes(*reader);
    reader->then = [&] { seen.push_back(writer.value.get()); };
  }
  bench.run(50);
  CHECK(early.edges == std::vector<Edge>{1, 21, 41});
  CHECK(late.edges == early.edges);
  CHECK(seen == std::vector<int>{0, 0, 20, 20, 40, 40});
}

TEST_CASE("a register refuses to wake a block of another clock") {
  struct Writer final : sim::Module {
    explicit Writer(const sc_core::sc_module_name& name) : Module(name) {}
    sim::Reg<int> value{*this, "value"};
    void step() override { value.set(1); }
  };
  sim::Scheduler scheduler("scheduler");
  sim::ClockDomain &first = scheduler.domain("first", {100, 1}), &second = scheduler.domain("second", {300, 1});
  Writer writer("writer");
  Sleeper reader("reader");
  writer.clock(first);
  reader.clock(second);
  writer.value.wakes(reader);
  REQUIRE_THROWS_WITH(scheduler.run(), Catch::Contains("writer.value: wakes reader, which has another clock"));
}

TEST_CASE("who watches a block wakes when it says that it has changed") {
  test::Bench bench;
  Sleeper watched("watched"), watcher("watcher");
  watched.watched_by(watcher);
  watched.then = [&] {
    watched.wake_at(watched.now() + 10);
    if (watched.now() > 30) watched.tell();
  };
  bench.run(55);
  CHECK(watcher.edges == std::vector<Edge>{1, 31, 41, 51});
}

TEST_CASE("a block that sleeps while its stream is full pushes at the very edge an awake one would") {
  struct Pusher final : sim::Module {
    explicit Pusher(const sc_core::sc_module_name& name) : Module(name) {}
    sim::StreamOut<int> out{"out", sim::Pop::wakes};
    std::vector<Edge> edges;
    int steps = 0;
    void step() override {
      ++steps;
      if (out.full()) {
        sleep();
        return;
      }
      if (out.can_push()) {
        out.push(1);
        edges.push_back(now());
      }
    }
  };
  test::Bench bench;
  // One pusher steps before who takes, one behind it.
  sim::Stream<int> early_stream("early_stream"), late_stream("late_stream");
  Pusher early("early");
  test::Sink<int> early_sink("early_sink", 90), late_sink("late_sink", 90);
  Pusher late("late");
  early.out(early_stream);
  early_sink.in(early_stream);
  late.out(late_stream);
  late_sink.in(late_stream);
  early_sink.not_before = late_sink.not_before = 50;
  bench.run(2000);
  for (const auto* pushes : {&early, &late}) {
    const auto* sink = pushes == &early ? &early_sink : &late_sink;
    REQUIRE(sink->count() > 100);
    // Two are pushed at first, then one at the edge after each that is taken.
    REQUIRE(pushes->edges.size() >= sink->count() + 1);
    for (std::size_t i = 0; i + 2 < pushes->edges.size(); ++i)
      CHECK(pushes->edges[i + 2] == std::max(sink->edges()[i], pushes->edges[i + 1]) + 1);
    CHECK(pushes->steps < 900);
  }
}

TEST_CASE("a push leaves alone who asks for that and wakes the others") {
  struct Reader final : sim::Module {
    Reader(const sc_core::sc_module_name& name, sim::Push push) : Module(name), in("in", push) {}
    sim::StreamIn<int> in;
    int steps = 0;
    void step() override {
      ++steps;
      sleep();
    }
  };
  test::Bench bench;
  sim::Stream<int> stream("stream");
  test::Source<int> source("source");
  source.add(1, 10);
  Reader first("first", sim::Push::leaves_alone), second("second", sim::Push::wakes);
  source.out(stream);
  first.in(stream);
  second.in(stream);
  bench.run(20);
  CHECK(first.steps == 1);
  CHECK(second.steps == 2);
}

TEST_CASE("a counter that runs while its block sleeps has counted every edge whenever it is asked") {
  test::Bench bench;
  Counting block("block");
  std::vector<std::int64_t> seen;  // behind the edges before
  bench.at_each_edge([&](Edge edge) {
    seen.push_back(block.waits.value());
    if (edge == 35) block.wake();
    if (edge == 60) block.wake();
  });
  bench.run(70);
  for (Edge edge = 1; edge <= 60; ++edge) {
    // The observer steps at `edge` before the block has.
    const Edge through = edge - 1;
    INFO("behind edge " << through);
    CHECK(seen[static_cast<std::size_t>(edge - 1)] >= (through < 10 ? 0 : through - 9));
    CHECK(seen[static_cast<std::size_t>(edge - 1)] <= (edge < 10 ? 0 : edge - 9));
  }
  CHECK(block.waits.value() == 50);
}

}  // namespace fansim::sleep_test

// SPDX-License-Identifier: Apache-2.0
#include "axi/clock_converter.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <memory>

#include "memory_stub.h"
#include "rules/clock_crossing.h"
#include "support/stream_bench.h"

namespace fansim::clock_converter_test {

namespace {

struct Item {
  int value = 0;
};

// Contains one channel between a source and a sink, each on its own clock.
struct Lane : sc_core::sc_module {
  Lane(const sc_core::sc_module_name& name, const contract::ClockConverterConfig& config, sim::ClockDomain& from,
       sim::ClockDomain& to, int items, int stall = 0)
      : sc_module(name),
        source("source", {}, stall, 3),
        crossing("crossing", config, from, to),
        sink("sink", stall, 4) {
    source.clock(from);
    sink.clock(to);
    source.out(in);
    crossing.in()(in);
    crossing.out()(out);
    sink.in(out);
    for (int i = 0; i < items; ++i) source.add({i});
  }
  sim::Stream<Item> in{"in"}, out{"out"};
  test::Source<Item> source;
  axi::ClockCrossing<Item> crossing;
  test::Sink<Item> sink;
};

struct Clocks {
  test::Bench bench{{200, 1}};
  sim::ClockDomain& port = bench.scheduler.domain("port", {1000, 3});
  sim::ClockDomain& pl = bench.scheduler.domain("pl", {200, 1});
  sim::ClockDomain& fabric = bench.scheduler.domain("fabric", {250, 1});
};

}  // namespace

TEST_CASE("every item crosses in order and at its declared edge") {
  Clocks clocks;
  std::vector<std::unique_ptr<Lane>> lanes;
  for (auto [from, to] :
       {std::pair{&clocks.pl, &clocks.port}, {&clocks.port, &clocks.pl}, {&clocks.fabric, &clocks.pl}})
    lanes.push_back(std::make_unique<Lane>(fmt::format("l{}", lanes.size()).c_str(), contract::ClockConverterConfig{},
                                           *from, *to, 1));
  clocks.bench.run(100);
  for (const auto& lane : lanes) {
    // Pushed at source edge 1, popped by the crossing at 2; popped by the sink one edge after it is pushed on.
    const sim::ClockDomain& from = lane->source.domain();
    const sim::ClockDomain& to = lane->sink.domain();
    REQUIRE(lane->sink.count() == 1);
    CHECK(lane->sink.edges()[0] == rules::crossing_edge(2, from.mhz, to.mhz, 2) + 1);
  }
  // 200 to 1000/3 MHz: edge 2 is at 10 ns; edges 4 (12 ns) and 5 (15 ns) are later.
  CHECK(lanes[0]->sink.edges()[0] == 6);
}

TEST_CASE("a crossing carries an item per edge of the slower clock") {
  Clocks clocks;
  constexpr int kItems = 600;
  Lane up("up", {}, clocks.pl, clocks.port, kItems);
  Lane down("down", {}, clocks.port, clocks.pl, kItems);
  Lane shallow("shallow", {4, 4}, clocks.port, clocks.pl, kItems);
  clocks.bench.run(2000);
  for (const Lane* lane : {&up, &down}) {
    INFO(lane->name());
    REQUIRE(lane->sink.count() == kItems);
    const auto& slow = lane == &up ? lane->source.edges() : lane->sink.edges();
    CHECK(slow.back() - slow[20] == kItems - 21);
  }
  // There are four places; each is away for four edges in one direction and four back, and more.
  CHECK(shallow.sink.edges().back() - shallow.sink.edges()[20] > kItems);
}

TEST_CASE("freed places come back by the same rule as items go") {
  Clocks clocks;
  Lane lane("lane", {4, 4}, clocks.pl, clocks.port, 30);
  clocks.bench.run(200);
  // Items 0..3 fill the buffer at source edges 2..5; the first leaves at crossing_edge(2), its place is known free at
  // crossing_edge of that, when the fifth is popped. It is pushed on at the crossing_edge of that again.
  const base::Rational pl{200, 1}, port{1000, 3};
  const sim::Edge left = rules::crossing_edge(2, pl, port, 4);
  const sim::Edge back = rules::crossing_edge(left, port, pl, 4);
  CHECK(back > 6);
  CHECK(lane.sink.edges()[4] == rules::crossing_edge(back, pl, port, 4) + 1);
}

TEST_CASE("nothing is lost or doubled or reordered under any stalls and clocks and items are counted") {
  Clocks clocks;
  std::vector<std::unique_ptr<Lane>> lanes;
  constexpr int kItems = 500;
  sim::ClockDomain* const all[] = {&clocks.pl, &clocks.port, &clocks.fabric};
  for (sim::ClockDomain* from : all)
    for (sim::ClockDomain* to : all)
      for (int stall : {0, 30, 70})
        lanes.push_back(std::make_unique<Lane>(fmt::format("l{}", lanes.size()).c_str(),
                                               contract::ClockConverterConfig{2, 8}, *from, *to, kItems, stall));
  clocks.bench.run(5000);
  for (const auto& lane : lanes) {
    INFO(lane->name());
    REQUIRE(lane->sink.count() == kItems);
    for (int i = 0; i < kItems; ++i) REQUIRE(lane->sink.items()[static_cast<std::size_t>(i)].value == i);
  }
}

TEST_CASE("streams of two clocks joined without a converter do not elaborate") {
  Clocks clocks;
  sim::Stream<Item> joint("joint");
  test::Source<Item> source("source");
  test::Sink<Item> sink("sink");
  source.clock(clocks.pl);
  sink.clock(clocks.port);
  source.out(joint);
  sink.in(joint);
  REQUIRE_THROWS_WITH(clocks.bench.run(10), Catch::Contains("joins two clock domains without a converter"));
}

}  // namespace fansim::clock_converter_test

// SPDX-License-Identifier: Apache-2.0
#include "memory/fixed_ddr.h"

#include <catch2/catch.hpp>

#include "memory/ddr_rig.h"

namespace fansim::fixed_ddr_test {

using test::Edges;
using test::random_bytes;
using test::run_of;
using test::operator+;
using Rig = test::DdrRig;

namespace {

contract::DdrConfig config() {
  contract::DdrConfig c;
  c.read_latency = 40;
  c.write_latency = 20;
  c.turnaround = 8;
  c.refresh_interval = 1000;
  c.refresh_cycles = 88;
  return c;
}

}  // namespace

TEST_CASE("a read burst's beats leave read_latency after its grant at one per cycle and bursts follow without a gap") {
  test::Bench bench;
  Rig rig("rig", config(), {}, random_bytes(4096, 1));
  for (std::uint32_t i = 0; i < 8; ++i) rig.reads.add({i * 256, 16});
  REQUIRE(bench.run_until([&] { return rig.read_beats.count() == 128; }, 1000));
  // Pushed at 1, popped at 2, granted at 3, first beat pushed at 43 and popped at 44.
  CHECK(rig.read_beats.edges() == run_of(44, 128));
  for (std::size_t i = 0; i < 128; ++i) {
    REQUIRE(std::equal(rig.read_beats.items()[i].data.begin(), rig.read_beats.items()[i].data.begin() + 16,
                       rig.initial.begin() + static_cast<std::ptrdiff_t>(i * 16)));
    REQUIRE(rig.read_beats.items()[i].last == (i % 16 == 15));
  }
}

TEST_CASE("a memory of which others have half or which is half as wide starts each burst by its beats later") {
  test::Bench bench;
  contract::DdrConfig of_two = config(), of_64_bits = config();
  of_two.share = 0.5;
  of_64_bits.data_bits = 64;
  Rig half("half", of_two, {}, random_bytes(4096, 1)), narrow("narrow", of_64_bits, {}, random_bytes(4096, 1));
  for (Rig* rig : {&half, &narrow})
    for (std::uint32_t i = 0; i < 3; ++i) rig->reads.add({i * 256, 16});
  REQUIRE(bench.run_until([&] { return narrow.read_beats.count() == 48; }, 1000));
  // Decided on at 3, others 3 .. 18, granted at 19, first beat popped 41 later; then every 32 edges.
  CHECK(half.read_beats.edges() == run_of(60, 16) + run_of(92, 16) + run_of(124, 16));
  CHECK(narrow.read_beats.edges() == half.read_beats.edges());
}

TEST_CASE("a write burst takes a beat per cycle from its grant and responds write_latency after the last") {
  test::Bench bench;
  Rig rig("rig", config(), {}, random_bytes(4096, 1));
  base::Random random(1);
  rig.write(0, 16, 1, random);
  rig.write(256, 4, 1, random);
  REQUIRE(bench.run_until([&] { return rig.responses.count() == 2; }, 1000));
  // Granted at 3, beats 3..18, response pushed at 38; the next burst has beats 19..22.
  CHECK(rig.responses.edges() == Edges{39, 43});
  CHECK(rig.write_beats.edges() == Edges{1, 2} + run_of(4, 18));
}

TEST_CASE("read and write bursts take turns with each change costing the turnaround") {
  test::Bench bench;
  Rig rig("rig", config(), {}, random_bytes(4096, 1));
  base::Random random(1);
  rig.reads.add({0, 4});
  rig.reads.add({64, 4});
  rig.write(256, 2, 1, random);
  std::vector<rules::ReadWait> waits;
  std::vector<bool> outstanding;
  bench.at_each_edge([&](sim::Edge) {
    waits.push_back(rig.ddr.read_wait());
    outstanding.push_back(rig.ddr.read_outstanding());
  });
  bench.run(100);
  // Read 3..6; write from 7 + 8 = 15..16; read from 17 + 8 = 25..28.
  CHECK(rig.read_beats.edges() == run_of(44, 4) + run_of(66, 4));
  CHECK(rig.responses.edges() == Edges{37});
  CHECK(test::counter(rig.ddr, "turnarounds") == 2);
  // The waits are seen one edge later. The first read's latency and data are no wait; they end at 46, and those of the
  // second read at 68.
  using W = rules::ReadWait;
  for (sim::Edge edge = 1; edge <= 100; ++edge) {
    INFO("edge " << edge);
    CHECK(waits[static_cast<std::size_t>(edge - 1)] == W::none);
    CHECK(outstanding[static_cast<std::size_t>(edge - 1)] == (edge >= 3 && edge <= 68));
  }
}

TEST_CASE("a read that waits knows what for: a write or the turnaround or a refresh") {
  test::Bench bench;
  contract::DdrConfig c = config();
  c.refresh_interval = 100;
  Rig rig("rig", c, {}, random_bytes(4096, 1));
  base::Random random(1);
  rig.write(0, 16, 1, random);  // bus 3..18
  rig.reads.add({0, 4}, 5);     // arrives at 6, granted at 19, starts at 19 + 8 = 27, done at 70
  rig.reads.add({0, 4}, 100);   // arrives at 101; refresh 100..187; granted at 188
  std::vector<rules::ReadWait> waits{rules::ReadWait::none};
  bench.at_each_edge([&](sim::Edge) { waits.push_back(rig.ddr.read_wait()); });
  bench.run(400);
  using W = rules::ReadWait;
  for (std::size_t edge = 1; edge + 1 < waits.size(); ++edge) {
    INFO("edge " << edge);
    const W expected = edge >= 7 && edge <= 18      ? W::arbitration
                       : edge >= 19 && edge <= 26   ? W::turnaround
                       : edge >= 102 && edge <= 187 ? W::refresh
                                                    : W::none;
    REQUIRE(waits[edge + 1] == expected);  // a register: seen one edge later
  }
  CHECK(rig.read_beats.edges() == run_of(68, 4) + run_of(229, 4));
}

TEST_CASE("a refresh waits for the burst on the bus and then holds the memory") {
  test::Bench bench;
  Rig rig("rig", config(), {}, random_bytes(4096, 1));
  rig.reads.add({0, 16}, 990);     // popped 991, granted 992, bus until 1007
  rig.reads.add({256, 16}, 991);   // refresh 1008..1095, granted 1096
  rig.reads.add({512, 16}, 1990);  // granted 1992, bus until 2007: the refresh due at 2000 keeps its schedule
  rig.reads.add({768, 16}, 2095);  // popped 2096, granted 2097, after the refresh 2008..2095
  REQUIRE(bench.run_until([&] { return rig.read_beats.count() == 64; }, 4000));
  CHECK(rig.read_beats.edges() == run_of(1033, 16) + run_of(1137, 16) + run_of(2033, 16) + run_of(2138, 16));
  CHECK(test::counter(rig.ddr, "refreshes") == 2);
}

TEST_CASE("after quiesce the same requests take the same cycles as on a fresh memory") {
  test::Bench bench;
  Rig fresh("fresh", config(), {}, random_bytes(4096, 1));
  Rig used("used", config(), {}, random_bytes(4096, 1));
  base::Random random(1);
  used.write(0, 16, 930, random);
  constexpr sim::Edge kBoundary = 1013;
  bench.at_each_edge([&](sim::Edge edge) {
    if (edge == kBoundary) used.ddr.quiesce();
  });
  for (sim::Edge edge = 1; edge < 2000; edge += 37) {
    for (auto* rig : {&fresh, &used}) {
      const sim::Edge shift = rig == &used ? kBoundary : 0;
      rig->reads.add({256, 16}, edge + shift);
      rig->write(1024, 8, edge + shift + 3, random);
    }
  }
  bench.run(4000);
  REQUIRE(fresh.read_beats.count() == used.read_beats.count());
  for (std::size_t i = 0; i < fresh.read_beats.count(); ++i)
    REQUIRE(fresh.read_beats.edges()[i] + kBoundary == used.read_beats.edges()[i]);
  for (std::size_t i = 0; i < fresh.responses.count(); ++i)
    REQUIRE(fresh.responses.edges()[i] + kBoundary == used.responses.edges()[i + 1]);
}

TEST_CASE("two ports of one memory are served one after the other or side by side if its data path is as wide") {
  test::Bench bench;
  struct Ports {
    Ports(const std::string& name, int data_bits) {
      contract::DdrConfig ddr = config();
      ddr.data_bits = data_bits;
      const auto shared = std::make_shared<memory::FixedMemory>(ddr, contract::AxiConfig{}, 2, random_bytes(4096, 1));
      const auto make = [&] { return std::make_unique<memory::FixedDdr>("ddr", shared, contract::AxiConfig{}); };
      first = std::make_unique<Rig>((name + "_first").c_str(), make, *shared->bytes);
      second = std::make_unique<Rig>((name + "_second").c_str(), make, *shared->bytes);
      second->reads.add({0, 16});
      first->reads.add({256, 4});
    }
    std::unique_ptr<Rig> first, second;
    int behind_others = 0;
  };
  Ports bus("bus", 0), lanes("lanes", 256);
  bench.at_each_edge([&](sim::Edge) {
    for (Ports* ports : {&bus, &lanes})
      ports->behind_others += ports->second->ddr.read_wait() == rules::ReadWait::arbitration;
  });
  bench.run(100);
  // Both are popped at 2. The first is granted at 3; the second port's is granted at 3 too or, on one bus, at 7, when
  // the first one's has left it.
  CHECK(bus.first->read_beats.edges() == run_of(44, 4));
  CHECK(bus.second->read_beats.edges() == run_of(48, 16));
  CHECK(bus.behind_others == 4);
  CHECK(lanes.first->read_beats.edges() == run_of(44, 4));
  CHECK(lanes.second->read_beats.edges() == run_of(44, 16));
  CHECK(lanes.behind_others == 0);
}

}  // namespace fansim::fixed_ddr_test

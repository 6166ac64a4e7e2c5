// SPDX-License-Identifier: Apache-2.0
#include "rules/ddr_ports.h"

#include <catch2/catch.hpp>

#include "base/random.h"
#include "rules/ddr_bench.h"

namespace fansim::ddr_ports_test {

using test::ddr_part;
using Edge = std::int64_t;

namespace {

// Returns the ports of all accesses in the order in which they entered the controller.
std::string entries(rules::DdrPorts& ports, Edge until) {
  std::string order;
  rules::DdrEvent event;
  while (ports.next(until, event))
    if (!event.picked) order += static_cast<char>('a' + event.port);
  return order;
}

}  // namespace

TEST_CASE("ports take turns to enter with one access per edge and direction and skip those with nothing ready") {
  const contract::DdrPart part = ddr_part();
  rules::DdrPorts ports(part, 3);
  for (int i = 0; i < 3; ++i) {
    ports.request(0, false, 10, 0, i);
    ports.request(2, false, 10, 1 << 15, i);
  }
  ports.request(1, false, 13, 1 << 16, 0);
  ports.request(1, true, 10, 1 << 16, 0);
  rules::DdrEvent event;
  std::vector<std::string> seen;
  while (seen.size() < 8) {
    REQUIRE(ports.next(1000, event));
    if (!event.picked)
      seen.push_back(std::to_string(event.edge) + (event.write ? "w" : "r") + static_cast<char>('a' + event.port));
  }
  CHECK(seen == std::vector<std::string>{"10ra", "10wb", "11rc", "12ra", "13rb", "14rc", "15ra", "16rc"});
}

TEST_CASE("with priority the lowest port that is ready enters first") {
  const contract::DdrPart part = ddr_part();
  rules::DdrPorts ports(part, 3, true);
  for (int i = 0; i < 3; ++i) {
    ports.request(2, false, 10, 1 << 15, i);
    ports.request(0, false, 11, 0, i);
    ports.request(1, false, 12, 1 << 16, i);
  }
  CHECK(entries(ports, 1000) == "caaabbbcc" + std::string());
}

TEST_CASE("a full controller lets the next access in one edge after a pick") {
  const contract::DdrPart part = ddr_part({"read_queue=1"});
  rules::DdrPorts ports(part, 1);
  for (int i = 0; i < 3; ++i) ports.request(0, false, 10, 0, i);
  std::vector<Edge> entered, picked;
  rules::DdrEvent event;
  while (ports.next(1000, event)) (event.picked ? picked : entered).push_back(event.edge);
  // Entered 10, picked 11, READ 26; entered 12, a hit due at 26 + tCCD_L; entered 33, due at 38.
  CHECK(entered == std::vector<Edge>{10, 12, 33});
  CHECK(picked == std::vector<Edge>{11, 32, 38});
}

TEST_CASE("events asked for at any time are the same events") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    INFO("seed " << seed);
    base::Random random(seed);
    const contract::DdrPart part = ddr_part({seed % 2 ? "read_queue=4" : "read_queue=32"});
    rules::DdrPorts often(part, 4, seed % 3 == 0);
    rules::DdrPorts seldom(part, 4, seed % 3 == 0);
    std::vector<std::tuple<bool, bool, int, int, Edge>> first, second;
    const auto drain = [](rules::DdrPorts& ports, Edge until, auto& events) {
      rules::DdrEvent e;
      while (ports.next(until, e)) events.emplace_back(e.picked, e.write, e.port, e.id, e.edge);
    };
    int id = 0;
    for (Edge edge = 1; edge < 20000; ++edge) {
      if (random.chance(12)) {
        const bool write = random.chance(30);
        const int port = random.uniform(0, 3);
        const std::uint64_t address = random.next() % (1 << 20);
        // A request at an edge is ready later.
        for (auto* ports : {&often, &seldom}) ports->request(port, write, edge + 20, address, id);
        ++id;
      }
      drain(often, edge, first);
      if (random.chance(5)) drain(seldom, edge, second);
    }
    drain(often, 1'000'000, first);
    drain(seldom, 1'000'000, second);
    REQUIRE(first.size() == static_cast<std::size_t>(2 * id));
    REQUIRE(first == second);
  }
}

}  // namespace fansim::ddr_ports_test

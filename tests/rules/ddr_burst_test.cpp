// SPDX-License-Identifier: Apache-2.0
// A burst decided in one go against the same accesses one by one.
#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "base/random.h"
#include "rules/ddr_bench.h"
#include "rules/ddr_ports.h"

using namespace fansim;
using test::ddr_part;
using Edge = std::int64_t;

namespace {

constexpr Edge kForever = rules::DdrPick::kNever - 1;

struct Burst {
  Edge ready;
  std::uint64_t address;
  int accesses;
  bool write;
};

// Column commands by access, one by one.
void step(rules::DdrPorts& ports, Edge until, std::map<int, Edge>& columns) {
  rules::DdrEvent event;
  while (ports.next(until, event))
    if (event.picked) columns[event.id] = event.pick.column;
}

std::vector<Burst> random_bursts(base::Random& random, const arch::DdrPart& part) {
  std::vector<Burst> bursts;
  Edge edge = 1;
  std::uint64_t address = 0;
  for (int i = 0; i < 120; ++i) {
    edge += random.chance(70) ? random.uniform(20, 90) : random.chance(50) ? random.uniform(1, 20) : 2000;
    if (random.chance(8)) address = static_cast<std::uint64_t>(random.uniform(0, 1 << 20)) * 64;
    const int accesses = random.uniform(1, random.chance(80) ? 8 : 40);
    bursts.push_back({edge, address, accesses, random.chance(10)});
    address += static_cast<std::uint64_t>(accesses * part.access_bytes());
  }
  return bursts;
}

// Returns how many bursts were decided in one go.
int compare(const arch::DdrPart& part, const std::vector<Burst>& bursts) {
  rules::DdrPorts whole(part, 1), single(part, 1);
  std::map<int, Edge> of_whole, of_single;
  int id = 0, in_one_go = 0;
  for (std::size_t i = 0; i < bursts.size(); ++i) {
    const Burst& burst = bursts[i];
    step(whole, burst.ready - 1, of_whole);
    std::vector<arch::DdrPlace> places;
    for (int a = 0; a < burst.accesses; ++a)
      places.push_back(part.mapping(burst.address + static_cast<std::uint64_t>(a * part.access_bytes())));
    std::vector<Edge> columns(places.size());
    const Edge until = i + 1 < bursts.size() ? bursts[i + 1].ready : kForever;
    const bool done = !burst.write && whole.burst(places.data(), burst.accesses, burst.ready, until, columns.data());
    in_one_go += done;
    for (int a = 0; a < burst.accesses; ++a, ++id) {
      const std::uint64_t address = burst.address + static_cast<std::uint64_t>(a * part.access_bytes());
      single.request(0, burst.write, burst.ready, address, id);
      if (done)
        of_whole[id] = columns[static_cast<std::size_t>(a)];
      else
        whole.request(0, burst.write, burst.ready, address, id);
    }
  }
  step(whole, kForever, of_whole);
  step(single, kForever, of_single);
  CHECK(of_whole == of_single);
  CHECK(whole.state().row_hits == single.state().row_hits);
  CHECK(whole.state().turnarounds == single.state().turnarounds);
  CHECK(whole.state().refreshes == single.state().refreshes);
  return in_one_go;
}

}  // namespace

TEST_CASE("a burst decided in one go is decided as one by one, and so is all that follows") {
  int in_one_go = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    base::Random random(seed);
    const std::vector<std::string> settings{
        std::string("mapping=") + (random.chance(50) ? "zcu102_rev_1_1" : "zcu102_rev_1_0"),
        "trefi=" + std::to_string(random.uniform(1000, 8320)),
        "trfc=" + std::to_string(random.chance(20) ? 0 : 276),
        "read_queue=" + std::to_string(random.uniform(1, 40)),
        "starvation_bound=" + std::to_string(random.uniform(16, 400)),
        "tccd_l=" + std::to_string(random.uniform(4, 8)),
        std::string("page_policy=") + (random.chance(80) ? "open" : "adaptive")};
    const arch::DdrPart part = ddr_part(settings);
    in_one_go += compare(part, random_bursts(random, part));
  }
  CHECK(in_one_go > 3000);
}

TEST_CASE(
    "a burst that a refresh, a closed row, a full queue or another request may hold up is not decided in one go") {
  const arch::DdrPart part = ddr_part();
  const auto open_row = [&](rules::DdrPorts& ports) {
    ports.request(0, false, 10, 0, 0);
    ports.request(0, false, 10, 64, 1);
    std::map<int, Edge> columns;
    step(ports, 100, columns);
  };
  const arch::DdrPlace places[] = {part.mapping(128), part.mapping(192), part.mapping(256)};
  Edge columns[3];
  rules::DdrPorts ports(part, 1);
  CHECK_FALSE(ports.burst(places, 3, 200, kForever, columns));  // closed
  open_row(ports);
  CHECK_FALSE(ports.burst(places, 3, part.trefi - 3, kForever, columns));
  CHECK_FALSE(ports.burst(places, 3, 200, 205, columns));
  REQUIRE(ports.burst(places, 3, 200, kForever, columns));
  CHECK(columns[0] == 201);
  CHECK(columns[1] == 201 + part.tccd_s);  // the other group
  CHECK(columns[2] == 201 + 2 * part.tccd_s);
  CHECK_FALSE(ports.burst(places, 3, 205, kForever, columns));  // too close
  rules::DdrPorts narrow(ddr_part({"read_queue=2"}), 1);
  open_row(narrow);
  CHECK_FALSE(narrow.burst(places, 3, 200, kForever, columns));
}

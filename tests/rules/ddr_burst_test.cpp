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

std::vector<Burst> random_bursts(base::Random& random, const contract::DdrPart& part) {
  std::vector<Burst> bursts;
  Edge edge = 1;
  std::uint64_t address = 0;
  for (int i = 0; i < 120; ++i) {
    edge += random.chance(50) ? random.uniform(20, 90) : random.chance(70) ? random.uniform(1, 20) : 2000;
    if (random.chance(8)) address = static_cast<std::uint64_t>(random.uniform(0, 1 << 20)) * 64;
    const int accesses = random.uniform(1, random.chance(80) ? 8 : 40);
    bursts.push_back({edge, address, accesses, random.chance(10)});
    address += static_cast<std::uint64_t>(accesses * part.access_bytes());
  }
  return bursts;
}

rules::DdrReads reads_of(const Burst& burst) { return {burst.address, burst.accesses, burst.ready}; }

// Three bursts after number `i` are known.
Edge others_from(const rules::DdrPorts& ports, const std::vector<Burst>& bursts, std::size_t i) {
  for (std::size_t next = i + 1; next < bursts.size(); ++next)
    if (next > i + 3 || bursts[next].write || !ports.follows(reads_of(bursts[next - 1]), reads_of(bursts[next])))
      return bursts[next].ready;
  return kForever;
}

struct InOneGo {
  int bursts = 0, drained = 0, joined = 0, swapped = 0;
};

// All that wait in order, or but a few, in one go, before burst number `i` is asked for, or that one with them; whether
// it is.
bool drain(rules::DdrPorts& ports, const std::vector<Burst>& bursts, std::size_t i, int requested,
           std::map<int, Edge>& columns, InOneGo& in_one_go) {
  int first = 0;
  while (first < requested && columns.count(first) != 0) ++first;
  const int waiting = ports.waiting_in_order(0, first, kForever);
  if (waiting == 0) return false;
  const bool follows = !bursts[i].write && ports.follows_waiting(0, reads_of(bursts[i]));
  rules::DdrColumns edges;
  const Edge until = follows ? others_from(ports, bursts, i) : bursts[i].ready;
  int count = waiting + bursts[i].accesses;
  const bool joins = follows && ports.drain(0, count, bursts[i].ready, until, edges);
  if (!joins) {
    count = waiting - static_cast<int>(i % 3);
    if (count < 1 || !ports.drain(0, count, 0, until, edges)) return false;
  }
  for (int read = 0; read < count; ++read) columns[first + read] = edges[read];
  in_one_go.drained += count;
  in_one_go.joined += joins;
  in_one_go.swapped += edges.swapped;
  return joins;
}

InOneGo compare(const contract::DdrPart& part, const std::vector<Burst>& bursts) {
  rules::DdrPorts whole(part, 1), single(part, 1);
  std::map<int, Edge> of_whole, of_single;
  int id = 0;
  InOneGo in_one_go;
  for (std::size_t i = 0; i < bursts.size(); ++i) {
    const Burst& burst = bursts[i];
    step(whole, burst.ready - 1, of_whole);
    const bool joined = drain(whole, bursts, i, id, of_whole, in_one_go);
    const rules::DdrReads reads = reads_of(burst);
    rules::DdrColumns columns;
    const bool done = !joined && !burst.write && whole.burst(0, reads, others_from(whole, bursts, i), columns);
    in_one_go.bursts += done;
    in_one_go.swapped += done && columns.swapped;
    for (int a = 0; a < burst.accesses; ++a, ++id) {
      const std::uint64_t address = burst.address + static_cast<std::uint64_t>(a * part.access_bytes());
      single.request(0, burst.write, burst.ready, address, id);
      if (done)
        of_whole[id] = columns[a];
      else if (!joined)
        whole.request(0, burst.write, burst.ready, address, id);
    }
  }
  step(whole, kForever, of_whole);
  step(single, kForever, of_single);
  for (const auto& [access, column] : of_single) {
    CAPTURE(access);
    REQUIRE(of_whole[access] == column);
  }
  CHECK(whole.state().row_hits == single.state().row_hits);
  CHECK(whole.state().turnarounds == single.state().turnarounds);
  CHECK(whole.state().refreshes == single.state().refreshes);
  return in_one_go;
}

}  // namespace

TEST_CASE("a burst decided in one go is decided as one by one, and so is all that follows") {
  InOneGo in_one_go;
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
    const contract::DdrPart part = ddr_part(settings);
    const InOneGo one = compare(part, random_bursts(random, part));
    in_one_go.bursts += one.bursts, in_one_go.drained += one.drained;
    in_one_go.joined += one.joined, in_one_go.swapped += one.swapped;
  }
  CHECK(in_one_go.bursts > 3000);
  CHECK(in_one_go.drained > 1000);
  CHECK(in_one_go.joined > 10);
  CHECK(in_one_go.swapped > 10);
}

TEST_CASE("a burst that a refresh, a closed row or another request may hold up is not decided in one go") {
  const contract::DdrPart part = ddr_part();
  const auto open_row = [&](rules::DdrPorts& ports) {
    ports.request(0, false, 10, 0, 0);
    ports.request(0, false, 10, 64, 1);
    std::map<int, Edge> columns;
    step(ports, 100, columns);
  };
  rules::DdrColumns columns;
  rules::DdrPorts ports(part, 1);
  CHECK_FALSE(ports.burst(0, {128, 3, 200}, kForever, columns));  // closed
  open_row(ports);
  CHECK_FALSE(ports.burst(0, {128, 3, part.trefi - 3}, kForever, columns));
  CHECK_FALSE(ports.burst(0, {128, 3, 200}, 205, columns));
  REQUIRE(ports.burst(0, {128, 3, 200}, kForever, columns));
  CHECK(columns[0] == 201);
  CHECK(columns[1] == 201 + part.tccd_s);  // the other group
  CHECK(columns[2] == 201 + 2 * part.tccd_s);
  CHECK_FALSE(ports.burst(0, {128, 3, 205}, kForever, columns));  // too close, and not the next ones
  REQUIRE(ports.burst(0, {320, 1, 202}, kForever, columns));
  CHECK(columns[0] == 201 + 3 * part.tccd_s);
}

TEST_CASE("a burst longer than the queue keeps those behind it out until there is room") {
  const contract::DdrPart part = ddr_part({"read_queue=2"});
  rules::DdrPorts ports(part, 1);
  std::map<int, Edge> opened;
  ports.request(0, false, 10, 0, 0);
  ports.request(0, false, 10, 64, 1);
  step(ports, 100, opened);
  rules::DdrColumns columns;
  REQUIRE(ports.burst(0, {128, 5, 200}, kForever, columns));
  CHECK(columns[4] == 201 + 4 * part.tccd_s);
  ports.request(0, false, 202, 448, 2);
  rules::DdrEvent event;
  REQUIRE(ports.next(1000, event));
  CHECK(event.edge == columns[3] + 1);
}

TEST_CASE("reads may wait outside the controller while they are next in order and overtake nothing") {
  const contract::DdrPart part = ddr_part();
  rules::DdrPorts ports(part, 1);
  std::map<int, Edge> columns;
  CHECK_FALSE(ports.can_wait(0, {0, 2, 10}));  // nothing waits
  ports.request(0, false, 10, 0, 0);
  CHECK_FALSE(ports.can_wait(0, {64, 2, 10}));  // there are reads in front of the controller
  step(ports, 10, columns);
  CHECK_FALSE(ports.can_wait(0, {64, 2, 10}));  // their row is to be opened meanwhile
  ports.request(0, false, 11, 64, 1);
  step(ports, 100, columns);
  ports.request(0, false, 200, 128, 2);
  step(ports, 200, columns);
  CHECK(ports.can_wait(0, {192, 2, 200}));
  CHECK_FALSE(ports.can_wait(0, {256, 2, 200}));  // not the next
  step(ports, 300, columns);
  for (int id = 3; id < 6; ++id) ports.request(0, false, 400, 128, id);
  step(ports, 402, columns);
  CHECK_FALSE(ports.can_wait(0, {192, 2, 400}));  // one bank's reads wait for each other, not those to the next
}

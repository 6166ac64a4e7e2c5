// SPDX-License-Identifier: Apache-2.0
// Reads decided at once against the same reads one by one.
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <string>

#include "base/random.h"
#include "rules/ddr_bench.h"
#include "timing/trains/column_trains.h"

namespace fansim::column_trains_test {

using test::ddr_part;
using timing::trains::ColumnEdges;
using timing::trains::ColumnReads;
using timing::trains::ColumnTrains;
using Edge = std::int64_t;

namespace {

constexpr Edge kForever = rules::DdrPick::kNever - 1;

struct Burst {
  Edge ready;
  std::uint64_t address;
  int accesses;
  bool write;
};

struct Ports {
  rules::DdrPorts ports;
};

// The ports of a memory with the trains that act on them.
struct Trains : private Ports, ColumnTrains {
  explicit Trains(const contract::DdrPart& part) : Ports{rules::DdrPorts(part, 1)}, ColumnTrains(part, ports) {}

  void request(int port, bool write, Edge ready, std::uint64_t address, int id) {
    ports.request(port, write, ready, address, id);
  }
  const rules::BankedDdrState& state() const { return ports.state(); }
};

// Collects column commands by access, one by one.
template <class AnyPorts>
void step(AnyPorts& ports, Edge until, std::map<int, Edge>& columns) {
  rules::DdrEvent event;
  while (ports.next(until, event))
    if (event.picked) columns[event.id] = event.pick.column;
}

// Draws short bursts or, if `dense`, bursts that keep the memory busy.
std::vector<Burst> random_bursts(base::Random& random, const contract::DdrPart& part, bool dense) {
  std::vector<Burst> bursts;
  Edge edge = 1;
  std::uint64_t address = 0;
  for (int i = 0; i < 120; ++i) {
    const int accesses = random.uniform(1, dense || random.chance(20) ? 40 : 8);
    if (dense && random.chance(80))
      edge += random.chance(40) ? random.uniform(1, 5) : random.uniform(accesses, 5 * accesses);
    else
      edge += random.chance(50) ? random.uniform(20, 90) : random.chance(70) ? random.uniform(1, 20) : 2000;
    if (random.chance(8)) address = static_cast<std::uint64_t>(random.uniform(0, 1 << 20)) * 64;
    bursts.push_back({edge, address, accesses, random.chance(10)});
    address += static_cast<std::uint64_t>(accesses * part.access_bytes());
  }
  return bursts;
}

ColumnReads reads_of(const Burst& burst) { return {burst.address, burst.accesses, burst.ready}; }

// Three bursts after number `i` are known.
Edge others_from(const Trains& ports, const std::vector<Burst>& bursts, std::size_t i) {
  for (std::size_t next = i + 1; next < bursts.size(); ++next)
    if (next > i + 3 || bursts[next].write || !ports.follows(reads_of(bursts[next - 1]), reads_of(bursts[next])))
      return bursts[next].ready;
  return kForever;
}

struct AtOnce {
  int bursts = 0, parts = 0, drained = 0, joined = 0, swapped = 0;

  void operator+=(const AtOnce& more) {
    bursts += more.bursts;
    parts += more.parts;
    drained += more.drained;
    joined += more.joined;
    swapped += more.swapped;
  }
};

// Sends bursts through ports, with as many reads at a time as possible.
struct AtOnceOrNot {
  Trains ports;
  const contract::DdrPart& part;
  const std::vector<Burst>& bursts;
  std::map<int, Edge> columns;
  std::set<int> writes;
  int requested = 0;
  int taken = 0;  // of the next burst's reads
  AtOnce count;

  bool follows(std::size_t i) const {
    return i + 1 < bursts.size() && !bursts[i + 1].write && ports.follows(reads_of(bursts[i]), reads_of(bursts[i + 1]));
  }
  ColumnReads rest(const Burst& burst) const {
    return {burst.address + static_cast<std::uint64_t>(taken * part.access_bytes()), burst.accesses - taken,
            burst.ready};
  }

  // Reads that wait and are decided in order, or but a few, before burst number `i` is asked for, or that one with
  // them: how many of it.
  int drain(std::size_t i) {
    std::vector<int> ids;  // that wait
    for (int id = 0; id < requested; ++id)
      if (columns.count(id) == 0 && writes.count(id) == 0) ids.push_back(id);
    if (ids.empty()) return 0;
    const auto [in_order, all] = ports.waiting(0, ids.front(), kForever);
    if (in_order == 0) return 0;
    const Burst& burst = bursts[i];
    const bool joins = in_order == all && !burst.write && taken == 0 && ports.follows_waiting(0, reads_of(burst));
    const bool followed = joins && follows(i);
    ColumnEdges edges;
    bool decided = joins && ports.decide_waiting(
                                0, all + burst.accesses,
                                {burst.ready, burst.ready, followed ? bursts[i + 1].ready : rules::DdrPick::kNever},
                                others_from(ports, bursts, i), edges);
    if (!decided) {
      const int most = in_order - static_cast<int>(i % 3);
      decided =
          most > 0 && ports.decide_waiting(0, most, {}, joins ? others_from(ports, bursts, i) : burst.ready, edges);
    }
    if (!decided) return 0;
    const int of_burst = std::max(0, edges.count - all);
    for (int read = 0; read < edges.count; ++read)
      columns[read < all ? ids[static_cast<std::size_t>(read)] : requested + read - all] = edges[read];
    count.drained += edges.count;
    count.joined += of_burst > 0;
    count.swapped += edges.swapped;
    return of_burst;
  }

  void ask_for(std::size_t i) {
    const Burst& burst = bursts[i];
    step(ports, burst.ready - 1, columns);
    taken += drain(i);
    const ColumnReads reads = rest(burst);
    ColumnEdges edges;
    const bool followed = follows(i) && bursts[i + 1].ready <= reads.ready + reads.count;
    if (!burst.write && reads.count > 0 &&
        ports.decide_burst(0, reads, followed, others_from(ports, bursts, i), edges)) {
      for (int read = 0; read < edges.count; ++read) columns[requested + taken + read] = edges[read];
      ++(edges.count < reads.count ? count.parts : count.bursts);
      count.swapped += edges.swapped;
      taken += edges.count;
    }
    for (int a = taken; a < burst.accesses; ++a) {
      if (burst.write) writes.insert(requested + a);
      ports.request(0, burst.write, burst.ready, burst.address + static_cast<std::uint64_t>(a * part.access_bytes()),
                    requested + a);
    }
    taken = std::max(0, taken - burst.accesses);
    requested += burst.accesses;
  }
};

AtOnce compare(const contract::DdrPart& part, const std::vector<Burst>& bursts) {
  AtOnceOrNot whole{Trains(part), part, bursts, {}, {}, 0, 0, {}};
  rules::DdrPorts single(part, 1);
  std::map<int, Edge> of_single;
  int id = 0;
  for (std::size_t i = 0; i < bursts.size(); ++i) {
    whole.ask_for(i);
    for (int a = 0; a < bursts[i].accesses; ++a, ++id)
      single.request(0, bursts[i].write, bursts[i].ready,
                     bursts[i].address + static_cast<std::uint64_t>(a * part.access_bytes()), id);
  }
  step(whole.ports, kForever, whole.columns);
  step(single, kForever, of_single);
  for (const auto& [access, column] : of_single) {
    CAPTURE(access);
    REQUIRE(whole.columns[access] == column);
  }
  const rules::BankedDdrState &at_once = whole.ports.state(), &one_by_one = single.state();
  CHECK(at_once.row_hits == one_by_one.row_hits);
  CHECK(at_once.row_misses == one_by_one.row_misses);
  CHECK(at_once.row_conflicts == one_by_one.row_conflicts);
  CHECK(at_once.turnarounds == one_by_one.turnarounds);
  CHECK(at_once.refreshes == one_by_one.refreshes);
  CHECK(at_once.decided == one_by_one.decided);
  return whole.count;
}

}  // namespace

TEST_CASE("a burst decided at once is decided as one by one and so is all that follows") {
  AtOnce count;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    base::Random random(seed);
    const bool dense = seed % 2 == 0, x16 = random.chance(50);
    const std::vector<std::string> settings{std::string("mapping=") + (random.chance(50) ? "zcu102_rev_1_0"
                                                                       : x16             ? "preset"
                                                                                         : "zcu102_rev_1_1"),
                                            "trefi=" + std::to_string(random.uniform(1000, 8320)),
                                            "trfc=" + std::to_string(random.chance(20) ? 0 : 276),
                                            "read_queue=" + std::to_string(random.uniform(1, 40)),
                                            "starvation_bound=" + std::to_string(random.uniform(16, 400)),
                                            "tccd_l=" + std::to_string(random.uniform(4, 12)),
                                            std::string("page_policy=") + (random.chance(80) ? "open" : "adaptive")};
    const contract::DdrPart part = ddr_part(settings, x16 ? "zcu102_ddr4_2133" : "ddr4_2133_x8_4gb");
    count += compare(part, random_bursts(random, part, dense));
  }
  CHECK(count.bursts > 3000);
  CHECK(count.drained > 1000);
  CHECK(count.joined > 10);
  CHECK(count.swapped > 10);
  CHECK(count.parts > 10);
}

TEST_CASE("a burst that a refresh or a closed row or another request may hold up is not decided at once") {
  const contract::DdrPart part = ddr_part();
  const auto open_row = [&](Trains& ports) {
    ports.request(0, false, 10, 0, 0);
    ports.request(0, false, 10, 64, 1);
    std::map<int, Edge> columns;
    step(ports, 100, columns);
  };
  ColumnEdges columns;
  Trains ports(part);
  CHECK_FALSE(ports.decide_burst(0, {128, 3, 200}, false, kForever, columns));  // closed
  open_row(ports);
  CHECK_FALSE(ports.decide_burst(0, {128, 3, part.trefi - 1}, false, kForever, columns));
  CHECK_FALSE(ports.decide_burst(0, {128, 3, 200}, false, 201, columns));
  REQUIRE(ports.decide_burst(0, {128, 3, 200}, false, kForever, columns));
  CHECK(columns[0] == 201);
  CHECK(columns[1] == 201 + part.tccd_s);  // the other group
  CHECK(columns[2] == 201 + 2 * part.tccd_s);
  CHECK_FALSE(ports.decide_burst(0, {128, 3, 205}, false, kForever, columns));  // too close, and not the next ones
  REQUIRE(ports.decide_burst(0, {320, 1, 202}, false, kForever, columns));
  CHECK(columns[0] == 201 + 3 * part.tccd_s);
}

TEST_CASE("reads of two blocks are decided at once as one by one whenever that begins") {
  // Both blocks use the same two groups, or each uses two of four, where the other's would be no sooner, or where they
  // would.
  const int kind = GENERATE(0, 1, 2);
  const contract::DdrPart part =
      kind == 0 ? ddr_part({}, "zcu102_ddr4_2133") : ddr_part({kind == 1 ? "tccd_l=8" : "tccd_l=12"});
  const std::uint64_t block = part.mapping.in_order_bytes(), bytes = static_cast<std::uint64_t>(part.access_bytes());
  constexpr int kOpening = 2, kFirstNew = 34, kReads = 68;
  int in_order = 0, in_turns = 0, others_wait = 0, paired = 0;
  for (int run = 0; run < 2000; ++run) {
    const int less = run % 5;         // than are in order
    const int skipped = run / 5 % 2;  // for the new block: then it is not its first read's turn
    const Edge late = run / 10 % 8, begin = 240 + run / 80 * 8;
    CAPTURE(less, skipped, late, begin);
    Trains ports(part);
    rules::DdrPorts single(part, 1);
    std::map<int, Edge> columns, one_by_one;
    for (int id = 0; id < kReads; ++id) {
      const std::uint64_t address =
          block + static_cast<std::uint64_t>(id - kFirstNew + (id < kFirstNew ? 0 : skipped)) * bytes;
      const Edge ready = id < kOpening ? 10 : id < kFirstNew ? 200 : 236 + late;
      ports.request(0, false, ready, address, id);
      single.request(0, false, ready, address, id);
    }
    step(single, kForever, one_by_one);
    step(ports, begin, columns);
    std::vector<int> ids;  // that wait
    for (int id = 0; id < kReads; ++id)
      if (columns.count(id) == 0) ids.push_back(id);
    if (ids.empty()) continue;
    const auto [first, all] = ports.waiting(0, ids.front(), kForever);
    const Edge next = less > 0 ? 0 : rules::DdrPick::kNever;
    ColumnEdges edges;
    if (first <= less || !ports.decide_waiting(0, first - less, {0, 0, next}, kForever, edges)) continue;
    for (int read = 0; read < edges.count; ++read) columns[ids[static_cast<std::size_t>(read)]] = edges[read];
    step(ports, kForever, columns);
    REQUIRE(columns == one_by_one);
    others_wait += first < all;
    in_turns += ids.front() < kFirstNew && edges.count > kFirstNew - ids.front();
    in_order += ids.front() >= kFirstNew;
    paired += edges.count > first - less;
  }
  CHECK(in_order > 0);
  CHECK((in_turns > 0) == (kind == 0));
  CHECK((others_wait > 0) == (kind < 2));
  CHECK((paired > 0) == (kind == 0));
}

namespace {

// By the first two reads of one port.
void open_two_rows(Trains& ports) {
  std::map<int, Edge> opened;
  ports.request(0, false, 10, 0, 0);
  ports.request(0, false, 10, 64, 1);
  step(ports, 100, opened);
}

}  // namespace

TEST_CASE("of a burst that something comes into as many reads are decided at once as come before that") {
  const contract::DdrPart part = ddr_part();
  Trains ports(part);
  open_two_rows(ports);
  ColumnEdges columns;
  REQUIRE(ports.decide_burst(0, {128, 8, 200}, false, 201 + 2 * part.tccd_s, columns));
  CHECK(columns.count == 2);
  REQUIRE(ports.decide_burst(0, {256, 6, 200}, false, kForever, columns));  // the rest waits for its turn
  CHECK(columns.count == 6);
  CHECK(columns[0] == 201 + 2 * part.tccd_s);
  const Edge ready = part.trefi - 1 - 2 * part.tccd_s;
  REQUIRE(ports.decide_burst(0, {640, 8, ready}, false, kForever, columns));
  CHECK(columns.count == 2);
  CHECK(columns[1] < part.trefi);
}

TEST_CASE("a burst longer than the queue keeps those behind it out until there is room") {
  const contract::DdrPart part = ddr_part({"read_queue=2"});
  Trains ports(part);
  open_two_rows(ports);
  ColumnEdges columns;
  REQUIRE(ports.decide_burst(0, {128, 5, 200}, false, kForever, columns));
  CHECK(columns[4] == 201 + 4 * part.tccd_s);
  ports.request(0, false, 202, 448, 2);
  rules::DdrEvent event;
  REQUIRE(ports.next(1000, event));
  CHECK(event.edge == columns[3] + 1);
}

TEST_CASE("reads may wait outside the controller while they are next in order and overtake nothing") {
  const contract::DdrPart part = ddr_part();
  Trains ports(part);
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

}  // namespace fansim::column_trains_test

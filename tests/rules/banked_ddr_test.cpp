// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>

#include "base/random.h"
#include "rules/ddr_bench.h"

namespace fansim::banked_ddr_test {

using test::ddr_part;
using Edge = std::int64_t;

namespace {

rules::DdrPick access(rules::DdrController& controller, const contract::DdrPart& part, bool write,
                      std::uint64_t address, Edge arrival) {
  controller.push(write, {arrival, part.mapping(address), 0, 0});
  return controller.decide(arrival + 100'000);
}

constexpr std::uint64_t kNextRow = 1 << 17;

}  // namespace

TEST_CASE("one access to a closed and an open and a wrong row is counted by hand") {
  const contract::DdrPart part = ddr_part();
  rules::DdrController controller(part);
  // Arrives at 10, activate 11, READ 11 + tRCD 15 = 26, data 26 + CL 15 = 41 to 45.
  const rules::DdrPick closed = access(controller, part, false, 0, 10);
  CHECK(closed.edge == 11);
  CHECK(closed.activate == 11);
  CHECK(closed.column == 26);
  CHECK(closed.data == 41);
  CHECK(closed.end == 45);
  // The row is open: READ at 101, data 116 to 120.
  const rules::DdrPick hit = access(controller, part, false, 128, 100);
  CHECK(hit.activate == -1);
  CHECK(hit.column == 101);
  CHECK(hit.end == 120);
  // Another row of the bank: precharge 201, activate 216, READ 231, data 246 to 250.
  const rules::DdrPick conflict = access(controller, part, false, kNextRow, 200);
  CHECK(conflict.precharge == 201);
  CHECK(conflict.activate == 216);
  CHECK(conflict.column == 231);
  CHECK(conflict.end == 250);
  CHECK(controller.state().row_misses == 1);
  CHECK(controller.state().row_hits == 1);
  CHECK(controller.state().row_conflicts == 1);
}

TEST_CASE("a row that was just opened must stay open for tRAS and recover before it is closed") {
  const contract::DdrPart part = ddr_part();
  rules::DdrController controller(part);
  CHECK(access(controller, part, false, 0, 10).activate == 11);
  // tRAS: precharge at 11 + 36 = 47, activate 62 (tRC: 11 + 51 = 62), READ 77.
  const rules::DdrPick read = access(controller, part, false, kNextRow, 12);
  CHECK(read.precharge == 47);
  CHECK(read.activate == 62);
  CHECK(read.column == 77);
  // WRITE at 201; its data until 201 + CWL 11 + 4 = 216, tWR 16: precharge 232, activate 247, READ 262.
  CHECK(access(controller, part, true, kNextRow, 200).column == 201);
  CHECK(access(controller, part, false, 0, 201).precharge == 232);
}

TEST_CASE("a row is closed for another one or after every access or after the last that waits as the policy says") {
  const auto second = [](const std::string& policy, bool together) {
    const contract::DdrPart part = ddr_part({"page_policy=" + policy});
    rules::DdrController controller(part);
    controller.push(false, {10, part.mapping(0), 0, 0});
    if (together) controller.push(false, {10, part.mapping(128), 0, 0});
    CHECK(controller.decide(100'000).column == 26);
    if (!together) controller.push(false, {100, part.mapping(128), 0, 0});
    return controller.decide(100'000).column;
  };
  // A hit at tCCD_L. Or: the row opened at 11 is closed at 11 + tRAS 36 = 47, opened again at 47 + tRP 15, READ 77.
  CHECK(second("open", true) == 32);
  CHECK(second("adaptive", true) == 32);
  CHECK(second("closed", true) == 77);
  // Later it is a hit, or the closed row is opened first.
  CHECK(second("open", false) == 101);
  CHECK(second("adaptive", false) == 116);
  CHECK(second("closed", false) == 116);
}

TEST_CASE("a change of direction costs the turnaround of the standard within a bank group and across") {
  const contract::DdrPart part = ddr_part();
  for (const auto& [other, after_write] : {std::pair{std::uint64_t{128}, 23}, std::pair{std::uint64_t{64}, 18}}) {
    rules::DdrController controller(part);
    access(controller, part, false, 0, 10);
    access(controller, part, false, other, 50);
    CHECK(access(controller, part, false, 0, 100).column == 101);
    // Read to write: CL 15 + 4 + 2 - CWL 11 = 10.
    const rules::DdrPick write = access(controller, part, true, 0, 101);
    CHECK(write.column == 111);
    CHECK(write.edge == 111);  // a hit, taken when it is due
    // Write to read: CWL 11 + 4 + tWTR_L 8 or tWTR_S 3.
    const rules::DdrPick read = access(controller, part, false, other, 111);
    CHECK(read.column == 111 + after_write);
    CHECK(controller.state().turnarounds == 2);
  }
}

TEST_CASE("a read that waits knows what for: its row or the turnaround or a refresh or others or its own port") {
  const contract::DdrPart part = ddr_part();
  using rules::ReadWait;
  const auto wait = [&](const rules::DdrController& controller, int port, std::uint64_t address, Edge edge) {
    return controller.why({edge - 1, part.mapping(address), port, 0}, edge);
  };
  rules::DdrController controller(part);
  CHECK(wait(controller, 0, 0, 10) == ReadWait::row_miss);
  const rules::DdrPick read = access(controller, part, false, 0, 10);  // READ at 26, of port 0
  CHECK(read.wait == ReadWait::none);
  CHECK(wait(controller, 0, 128, 27) == ReadWait::busy_same);  // tCCD behind its own port's
  CHECK(wait(controller, 1, 128, 27) == ReadWait::arbitration);
  CHECK(wait(controller, 1, 128, 32) == ReadWait::none);  // free to go
  CHECK(wait(controller, 0, kNextRow, 40) == ReadWait::row_miss);
  access(controller, part, true, 0, 50);                         // WRITE at 51
  CHECK(wait(controller, 0, 128, 50) == ReadWait::arbitration);  // the write goes
  CHECK(wait(controller, 0, 128, 51) == ReadWait::turnaround);
  const rules::DdrPick turned = access(controller, part, false, 64, 51);  // opens its row by 67
  CHECK(turned.row_ready == 67);
  CHECK(turned.column == 69);
  CHECK(turned.wait == ReadWait::turnaround);
  access(controller, part, false, 0, 8400);  // its edge starts the refresh of 8320
  CHECK(wait(controller, 0, 0, 8500) == ReadWait::refresh);
}

TEST_CASE("a refresh closes every row at tREFI and keeps the memory for tRP and tRFC") {
  const contract::DdrPart part = ddr_part();
  rules::DdrController controller(part);
  access(controller, part, false, 0, 8000);
  // Due at 8320: precharge-all 8320, refresh 8335 to 8335 + 276 = 8611, activate then, READ 8626.
  const rules::DdrPick read = access(controller, part, false, 0, 8319);
  CHECK(read.precharge == -1);
  CHECK(read.activate == 8611);
  CHECK(read.column == 8626);
  CHECK(controller.state().refresh_start == 8320);
  CHECK(controller.state().refresh_end == 8611);
  // Nothing was opened since: the refreshes at 16640, 24960 and 33280 need no precharge.
  rules::DdrController idle(part);
  CHECK(access(idle, part, false, 0, 33281).activate == 33280 + 276);
  CHECK(idle.state().refreshes == 4);
}

TEST_CASE("decisions asked for late are those of a controller that looks at every edge") {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    INFO("seed " << seed);
    base::Random random(seed);
    contract::DdrPart part = ddr_part();
    part.page_policy = static_cast<contract::PagePolicy>(seed % 3);
    part.trefi = 1500;
    part.starvation_bound = random.uniform(16, 400);
    rules::BankedDdrState eager;
    rules::quiesce(eager, part, 0);
    std::vector<rules::DdrRequest> queue[2];
    rules::DdrController late(part);
    for (Edge edge = 1; edge < 6000; ++edge) {
      const bool write = random.chance(40);
      auto& wanted = queue[write];
      if (random.chance(edge % 2000 < 1000 ? 20 : 3) && late.can_push(write)) {
        const int bank = random.uniform(0, 5);
        const rules::DdrRequest request{
            edge, {bank, bank / 4, random.uniform(0, 2), 0}, random.uniform(0, 1), static_cast<int>(edge)};
        late.push(write, request);
        wanted.push_back(request);
      }
      const rules::DdrHeads heads{{queue[0].data(), static_cast<int>(queue[0].size())},
                                  {queue[1].data(), static_cast<int>(queue[1].size())}};
      const rules::DdrPick expected = rules::pick(eager, part, heads, edge);
      const rules::DdrPick found = late.decide(edge);
      REQUIRE(found.found == expected.found);
      if (!expected.found) continue;
      REQUIRE(found.id == expected.id);
      REQUIRE(found.edge == edge);
      REQUIRE(found.activate == expected.activate);
      REQUIRE(found.column == expected.column);
      auto& from = queue[expected.write];
      from.erase(from.begin() + expected.index);
    }
  }
}

TEST_CASE("an access is overtaken by so many hits of its bank and waits no longer than its bound allows") {
  const contract::DdrPart part = ddr_part({"row_hit_limit=3"});
  rules::DdrController controller(part);
  access(controller, part, false, 0, 10);
  controller.push(false, {100, part.mapping(kNextRow), 0, 1});
  for (int i = 0; i < 8; ++i) controller.push(false, {100, part.mapping(128), 0, 2});
  std::vector<int> order;
  for (int i = 0; i < 5; ++i) order.push_back(controller.decide(100'000).id);
  CHECK(order == std::vector<int>{2, 2, 2, 1, 2});

  // Hits of another bank that never end against one access in a bank of its own.
  for (const int bound : {64, 256}) {
    const contract::DdrPart impatient = ddr_part({"starvation_bound=" + std::to_string(bound), "write_high=32"});
    rules::DdrController busy(impatient);
    busy.push(false, {1, impatient.mapping(0), 0, 2});
    busy.push(true, {1, impatient.mapping(kNextRow), 0, 1});  // reads go first
    Edge taken = 0;
    for (Edge edge = 1; taken == 0 && edge < 5000; ++edge) {
      if (busy.can_push(false)) busy.push(false, {edge, impatient.mapping(0), 0, 2});
      for (rules::DdrPick pick = busy.decide(edge); pick.found; pick = busy.decide(edge))
        if (pick.id == 1) taken = pick.edge;
    }
    CHECK(taken > bound);
    CHECK(taken <= 1 + bound + impatient.trc);
  }
}

TEST_CASE("writes wait for reads until many wait and then go until few are left") {
  const contract::DdrPart part = ddr_part();
  rules::DdrController controller(part);
  for (int i = 0; i < 24; ++i) controller.push(true, {10, part.mapping(static_cast<std::uint64_t>(i) * 64), 0, i});
  for (int i = 0; i < 24; ++i)
    controller.push(false, {10, part.mapping(kNextRow * 8 + static_cast<std::uint64_t>(i) * 64), 0, i});
  std::string directions;
  for (int i = 0; i < 48; ++i) directions += controller.decide(100'000).write ? 'w' : 'r';
  CHECK(directions == std::string(16, 'w') + std::string(24, 'r') + std::string(8, 'w'));
}

TEST_CASE("after quiesce the same requests get the same picks as from a fresh memory") {
  const contract::DdrPart part = ddr_part();
  rules::DdrController fresh(part);
  rules::DdrController used(part);
  access(used, part, true, kNextRow * 3, 500);
  used.quiesce(9000);
  CHECK(used.state().refreshes == 1);
  base::Random random(9);
  for (Edge edge = 20; edge < 20000; edge += random.uniform(1, 200)) {
    const bool write = random.chance(30);
    const std::uint64_t address = random.next() % part.bytes();
    const rules::DdrPick a = access(fresh, part, write, address, edge);
    const rules::DdrPick b = access(used, part, write, address, edge + 9000);
    REQUIRE(a.column + 9000 == b.column);
    edge = a.edge;
  }
}

}  // namespace fansim::banked_ddr_test

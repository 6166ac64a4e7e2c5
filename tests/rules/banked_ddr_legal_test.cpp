// SPDX-License-Identifier: Apache-2.0
// The commands of every pick, put in order of their edges, against the tables of JESD79-4, written down a second time
// from the standard's side: what must lie between two commands.
#include <algorithm>
#include <catch2/catch.hpp>

#include "base/random.h"
#include "rules/ddr_bench.h"

namespace fansim::banked_ddr_legal_test {

using contract::DdrPart;
using test::DdrAccess;
using Edge = std::int64_t;

namespace {

enum class Kind { precharge, activate, read, write };

struct Command {
  Edge edge;
  Kind kind;
  int bank;
  int group;
  int row;
};

bool column(Kind kind) { return kind == Kind::read || kind == Kind::write; }

std::vector<Command> commands_of(const std::vector<DdrAccess>& accesses, const DdrPart& part) {
  std::vector<Command> commands;
  for (const DdrAccess& access : accesses) {
    const contract::DdrPlace& place = access.request.place;
    const auto add = [&](Edge edge, Kind kind) {
      commands.push_back({edge, kind, place.bank, place.group, place.row});
    };
    if (access.pick.precharge >= 0) add(access.pick.precharge, Kind::precharge);
    if (access.pick.activate >= 0) add(access.pick.activate, Kind::activate);
    add(access.pick.column, access.write ? Kind::write : Kind::read);
    REQUIRE(access.pick.data == access.pick.column + (access.write ? part.cwl : part.cl));
    REQUIRE(access.pick.end == access.pick.data + 4);
  }
  std::sort(commands.begin(), commands.end(), [](const Command& a, const Command& b) { return a.edge < b.edge; });
  return commands;
}

// Returns the least distance from command a to a later command b; 0: none.
Edge distance(const DdrPart& p, const Command& a, const Command& b) {
  const bool same_bank = a.bank == b.bank;
  const bool same_group = a.group == b.group;
  if (column(a.kind) && column(b.kind)) {
    if (a.kind == b.kind) return same_group ? p.tccd_l : p.tccd_s;
    if (a.kind == Kind::read) return p.cl + 4 + 2 - p.cwl;
    return p.cwl + 4 + (same_group ? p.twtr_l : p.twtr_s);
  }
  if (a.kind == Kind::activate && b.kind == Kind::activate) return same_bank ? p.trc : same_group ? p.trrd_l : p.trrd_s;
  if (!same_bank) return 0;
  if (a.kind == Kind::activate) return b.kind == Kind::precharge ? p.tras : p.trcd;
  if (a.kind == Kind::precharge) return p.trp;
  if (b.kind == Kind::precharge) return a.kind == Kind::read ? p.trtp : p.cwl + 4 + p.twr;
  return 0;
}

// An auto-precharge is no command on the bus; it happens once tRAS and the recovery of the row's accesses allow it.
void add_auto_precharges(const std::vector<DdrAccess>& accesses, const DdrPart& part, std::vector<Command>& commands) {
  const std::vector<Command> given = commands;
  for (const DdrAccess& access : accesses) {
    if (!access.pick.closes) continue;
    const contract::DdrPlace& place = access.request.place;
    Edge opened = 0;
    Edge recovered = 0;
    for (const Command& c : given) {
      if (c.bank != place.bank || c.edge > access.pick.column) continue;
      if (c.kind == Kind::activate) {
        opened = c.edge;
        recovered = 0;
      }
      if (column(c.kind))
        recovered = std::max(recovered, c.edge + (c.kind == Kind::read ? part.trtp : part.cwl + 4 + part.twr));
    }
    commands.push_back({std::max(opened + part.tras, recovered), Kind::precharge, place.bank, place.group, place.row});
  }
  std::sort(commands.begin(), commands.end(), [](const Command& a, const Command& b) { return a.edge < b.edge; });
}

void check_distances(const std::vector<Command>& commands, const DdrPart& part) {
  std::vector<Edge> activates;
  for (std::size_t i = 0; i < commands.size(); ++i) {
    const Command& b = commands[i];
    for (std::size_t j = i; j-- > 0 && commands[j].edge + part.trc + part.tfaw > b.edge;) {
      const Command& a = commands[j];
      INFO("command " << static_cast<int>(a.kind) << " of bank " << a.bank << " at " << a.edge << ", then "
                      << static_cast<int>(b.kind) << " of bank " << b.bank << " at " << b.edge);
      REQUIRE(b.edge - a.edge >= distance(part, a, b));
    }
    if (b.kind != Kind::activate) continue;
    activates.push_back(b.edge);
    if (activates.size() > 4) REQUIRE(b.edge - activates[activates.size() - 5] >= part.tfaw);
  }
}

// Column commands meet their row open, activates a closed bank; a refresh closes all banks and keeps everything away.
void check_rows(const std::vector<Command>& commands, const std::vector<std::pair<Edge, Edge>>& refreshes) {
  int row[DdrPart::kMaxBanks];
  std::fill(std::begin(row), std::end(row), -1);
  std::size_t next = 0;
  for (const Command& c : commands) {
    while (next < refreshes.size() && refreshes[next].first <= c.edge) {
      REQUIRE(c.edge >= refreshes[next].second);
      std::fill(std::begin(row), std::end(row), -1);
      ++next;
    }
    INFO("bank " << c.bank << " at " << c.edge);
    if (c.kind == Kind::precharge) {
      REQUIRE(row[c.bank] >= 0);
      row[c.bank] = -1;
    } else if (c.kind == Kind::activate) {
      REQUIRE(row[c.bank] == -1);
      row[c.bank] = c.row;
    } else {
      REQUIRE(row[c.bank] == c.row);
    }
  }
}

struct Run {
  std::vector<DdrAccess> accesses;
  std::vector<std::pair<Edge, Edge>> refreshes;
};

// Draws random accesses to a few rows of all banks; their density and the share of writes vary.
Run random_run(const DdrPart& part, std::uint64_t seed) {
  base::Random random(seed);
  rules::DdrController controller(part);
  Run run;
  Edge edge = 0;
  std::int64_t seen = 0;
  const int gap = random.uniform(0, 20);
  const int writes = random.uniform(0, 100);
  const int rows = random.uniform(1, 4);
  for (int taken = 0; taken < 2000;) {
    edge += random.uniform(0, gap);
    const bool write = random.chance(writes);
    if (run.accesses.size() < 2000 && controller.can_push(write)) {
      const int bank = random.uniform(0, part.banks() - 1);
      const rules::DdrRequest request{edge,
                                      {bank, bank >> part.bank_bits, random.uniform(0, rows - 1), 0},
                                      random.uniform(0, 3),
                                      static_cast<int>(run.accesses.size())};
      controller.push(write, request);
      run.accesses.push_back({write, request, {}});
    } else {
      ++edge;
    }
    for (rules::DdrPick pick = controller.decide(edge); pick.found; pick = controller.decide(edge)) {
      DdrAccess& access = run.accesses[static_cast<std::size_t>(pick.id)];
      REQUIRE_FALSE(access.pick.found);
      REQUIRE(pick.edge > access.request.arrival);
      REQUIRE(std::min(pick.column, pick.activate < 0 ? pick.column : pick.activate) >= pick.edge);
      access.pick = pick;
      ++taken;
    }
    const rules::BankedDdrState& state = controller.state();
    if (state.refreshes != seen) run.refreshes.emplace_back(state.refresh_start, state.refresh_end);
    seen = state.refreshes;
  }
  REQUIRE(controller.empty());
  return run;
}

}  // namespace

TEST_CASE("the memory gets only commands at edges the standard allows whatever is asked of it") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const bool wide = seed % 2 == 0;
    INFO("seed " << seed);
    DdrPart part = test::ddr_part({}, wide ? "ddr4_2400_x16" : "ddr4_2133_x8_4gb");
    part.trefi = 2000;  // many refreshes; never two within one access's edges
    part.page_policy = static_cast<contract::PagePolicy>(seed % 3);
    const Run run = random_run(part, seed);
    std::vector<Command> commands = commands_of(run.accesses, part);
    add_auto_precharges(run.accesses, part, commands);
    check_distances(commands, part);
    check_rows(commands, run.refreshes);
  }
}

}  // namespace fansim::banked_ddr_legal_test

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "contract/ddr_part.h"
#include "rules/read_wait.h"

namespace fansim::rules {

// DDR4 with banks, bank groups and rows behind a controller that takes column accesses out of order (FR-FCFS).
// Everything is counted in edges of the memory clock; both engines decide with these functions and nothing else.
//
// A pick commits one column access: its precharge, activate, column command and data edges are fixed then and no later
// pick moves them. A later pick may use what they leave free between them. docs/memory.md explains the policy.

// One column access (BL8) in the controller's queue.
struct DdrRequest {
  std::int64_t arrival = 0;
  contract::DdrPlace place;
  int port = 0;
  int id = 0;  // the owner's
};

// The column accesses of one direction that wait, by arrival, those of one edge by port.
struct DdrQueue {
  const DdrRequest* requests = nullptr;
  int size = 0;
  std::uint32_t banks = ~0U;  // a bit for each bank that one of them is to, and perhaps for others
};

struct DdrHeads {
  DdrQueue reads;
  DdrQueue writes;
};

struct DdrBank {
  int row = -1;                // open, or being opened; -1: none
  int overtakings = 0;         // accesses to it before older ones to another row of the bank
  std::int64_t column = 0;     // first edge for a column command of that row
  std::int64_t precharge = 0;  // first edge for its precharge
  std::int64_t activate = 0;   // first edge for another activate
};

struct DdrCommand {
  std::int64_t edge = 0;
  int group = 0;
  int port = 0;
  bool write = false;
};

struct BankedDdrState {
  static constexpr int kCommands = 64;
  std::array<DdrBank, contract::DdrPart::kMaxBanks> banks;
  std::array<DdrCommand, kCommands> commands;  // column commands that may still constrain another, by edge
  int command_count = 0;
  std::array<std::int64_t, 4> activates{};        // the last four of the rank, the oldest first
  std::array<std::int64_t, 4> group_activates{};  // the last one of each group
  std::int64_t decided = 0;                       // the last pick's edge; one pick per edge
  bool writing = false;                           // direction of the last pick
  int run = 0;                                    // picks in that direction since it changed
  std::int64_t last_write = 0;                    // the last pick of a write
  std::int64_t refresh_due = 0;
  std::int64_t refresh_start = 0;  // of the last refresh: rows are closed [start, end) for it
  std::int64_t refresh_end = 0;

  // Totals; the owner may take and clear them.
  std::int64_t row_hits = 0;       // the row was open
  std::int64_t row_misses = 0;     // no row was open
  std::int64_t row_conflicts = 0;  // another row was open
  std::int64_t refreshes = 0;
  std::int64_t turnarounds = 0;  // changes of direction from pick to pick
};

struct DdrPick {
  static constexpr std::int64_t kNever = INT64_MAX;
  bool found = false;
  std::int64_t edge = 0;  // of the decision
  std::int64_t next = 0;  // not found: with these heads no decision before this edge differs

  bool write = false;
  int index = 0;  // in its queue
  int id = 0;
  int port = 0;
  std::int64_t precharge = -1;     // of the row that was open, -1: none was, or the wanted one
  std::int64_t activate = -1;      // -1: the row was open
  std::int64_t row_ready = 0;      // first edge at which the row allowed the column command
  std::int64_t column = 0;         // the column command
  ReadWait wait = ReadWait::none;  // in [row_ready, column)
  bool closes = false;             // with auto-precharge
  std::int64_t data = 0;           // data are on the bus [data, end)
  std::int64_t end = 0;
};

// All rows closed, nothing on the bus, the next refresh a whole interval away.
void quiesce(BankedDdrState& state, const contract::DdrPart& part, std::int64_t edge);

// Starts every refresh that is due at or before `edge`: its precharge-all at max(due, every open bank's first edge for
// a precharge).
void refresh(BankedDdrState& state, const contract::DdrPart& part, std::int64_t edge);

// The decision at `edge` among the requests that arrived before it. Where they all go to open rows, it may be that of a
// later edge up to `until`, at which the first one is due, if they are decided alike until then.
DdrPick pick(BankedDdrState& state, const contract::DdrPart& part, const DdrHeads& heads, std::int64_t edge,
             std::int64_t until);
inline DdrPick pick(BankedDdrState& state, const contract::DdrPart& part, const DdrHeads& heads, std::int64_t edge) {
  return pick(state, part, heads, edge, edge);
}

// What a read of `heads` waits for at `edge`, before which it has arrived; after the pick() of that edge.
ReadWait why(const BankedDdrState& state, const contract::DdrPart& part, const DdrHeads& heads, const DdrRequest& read,
             std::int64_t edge);

}  // namespace fansim::rules

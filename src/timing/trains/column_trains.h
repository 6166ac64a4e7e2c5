// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "rules/ddr_ports.h"
#include "timing/trains/column_sequence.h"

namespace fansim::timing::trains {

// Consecutive column reads of a port, which may enter from `ready` on.
struct ColumnReads {
  std::uint64_t address = 0;
  int count = 0;
  Edge ready = 0;

  std::uint64_t end(std::uint64_t access_bytes) const {
    return address + static_cast<std::uint64_t>(count) * access_bytes;
  }
};

// Decides several reads at once at the ports of a banked DDR, where rules::DdrPorts would decide the same one by one.
class ColumnTrains {
 public:
  ColumnTrains(const contract::DdrPart& part, rules::DdrPorts& ports);

  // Calls ports.next(), which nobody else may call, and learns from the event.
  bool next(Edge until, rules::DdrEvent& event);

  // Decides reads of a port, or the first of them, at once instead of requesting them. No other read waits, and before
  // `until` none comes but those that follow these. `followed` tells that at least one does and is ready an edge after
  // them at most. Returns false, with nothing changed, if the reads may be held up.
  bool decide_burst(int port, const ColumnReads& reads, bool followed, Edge until, ColumnEdges& edges);

  // Counts the reads of a port that are requested and not picked. Both numbers are 0 unless they are all that wait and
  // number `id` is the first of them. The first reads are decided in order: from edge `seen` on, the first one waits
  // for nothing but other reads, and the others wait for it.
  struct Waiting {
    int in_order = 0;
    int all = 0;
  };
  Waiting waiting(int port, int id, Edge seen);
  // Returns whether `reads` follow all of those.
  bool follows_waiting(int port, const ColumnReads& reads);
  // When the reads are ready that follow those: the first and the last one to be decided, and one behind them, if any.
  struct More {
    Edge first = 0;
    Edge last = 0;
    Edge next = rules::DdrPick::kNever;
  };
  // Does what decide_burst() does for the first `count` reads that wait in order. If all wait in order, `count` may be
  // larger: then as many more are decided with them.
  bool decide_waiting(int port, int count, const More& more, Edge until, ColumnEdges& edges);

  // Returns whether `next` leaves the picks of `reads`, which come before it at the same port, as they are, because it
  // is next in order.
  bool follows(const ColumnReads& reads, const ColumnReads& next) const;
  // Returns whether reads that come after all others need not be requested before the next pick.
  bool can_wait(int port, const ColumnReads& reads) const;
  // Returns the number of reads that have entered and are not picked.
  int entered() const { return queue().size; }

 private:
  rules::DdrQueue queue() const { return ports_.controller().heads().reads; }
  const rules::DdrRequest& waiting(int read) const { return queue().requests[read]; }
  const rules::DdrBank& bank(const contract::DdrPlace& place) const {
    return ports_.state().banks[static_cast<std::size_t>(place.bank)];
  }

  void note_entry(const rules::DdrEvent& event);
  void note_pick(const rules::DdrPick& pick);
  void note_decided(int port, const ColumnEdges& edges, int waiting, Edge arrival);
  void hold_reads();
  Edge last_pick(int back) const;

  bool in_order() const;
  bool keeps_to_turns(const contract::DdrPlace& place) const;
  bool commands_to_come() const;
  int waiting_in_order(Edge seen) const;
  int waiting_in_turns() const;
  bool turns_go_on();
  Edge due(int read) const;
  bool came_in_time(int count) const;

  bool in_one_block(std::uint64_t address, std::uint64_t next) const;
  bool continues(int port, std::uint64_t address) const;
  const contract::DdrPlace& row_of(std::uint64_t address);
  std::array<contract::DdrPlace, 2> next_rows();

  const contract::DdrPart part_;
  const std::uint64_t bytes_;  // of an access
  rules::DdrPorts& ports_;

  // The accesses of this block, in order, go to these rows in turns.
  std::uint64_t block_ = ~std::uint64_t{0};
  std::array<contract::DdrPlace, 2> rows_;

  // The last read that entered, or was decided at once.
  int last_port_ = 0;
  std::uint64_t last_end_ = 0;  // the address behind it

  // The number of reads at the end of the controller's queue that are all to one row, or in turns to one row each of
  // two groups.
  int ordered_ = 0;

  // The edges of the last picks of reads, one more than the controller can hold. If a pick is still to come, the
  // controller holds its read until then.
  std::vector<Edge> picks_;
  std::size_t pick_count_;
};

}  // namespace fansim::timing::trains

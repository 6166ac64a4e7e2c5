// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "rules/ddr_ports.h"
#include "timing/trains/column_sequence.h"

namespace fansim::timing::trains {

// Consecutive column reads of a port that may enter from `ready` on.
struct ColumnReads {
  std::uint64_t address = 0;
  int count = 0;
  Edge ready = 0;

  std::uint64_t end(std::uint64_t access_bytes) const { return address + static_cast<std::uint64_t>(count) * access_bytes; }
};

// Decides several reads at once at the ports of a banked DDR, where rules::DdrPorts would decide the same one by one.
class ColumnTrains {
 public:
  ColumnTrains(const contract::DdrPart& part, rules::DdrPorts& ports);

  // ports.next(), which must not be called by itself.
  bool next(Edge until, rules::DdrEvent& event);

  // In place of requests: reads of a port, or the first of them, decided at once, if no other read waits and none comes
  // before `until` but such as follow. `followed`: at least one does, ready an edge after them at most. Returns false,
  // with nothing changed, if they may be held up.
  bool decide_burst(int port, const ColumnReads& reads, bool followed, Edge until, ColumnEdges& edges);

  // The reads of a port that are requested and not picked, if they are all that wait and number `id` is the first of
  // them, else none: how many, and how many of the first ones are decided in order. Of these the first one waits for
  // nothing but other reads, as is asked from edge `seen` on, and the others wait for it.
  struct Waiting {
    int in_order = 0, all = 0;
  };
  Waiting waiting(int port, int id, Edge seen);
  // Whether reads follow those, all of them.
  bool follows_waiting(int port, const ColumnReads& reads);
  // What follows them: when the first of further reads is ready, and the last; and another one behind these, if any.
  struct More {
    Edge first = 0, last = 0, next = rules::DdrPick::kNever;
  };
  // decide_burst() of the first `count` reads that wait in order, or, where all do and `count` is more, of as many more.
  bool decide_waiting(int port, int count, const More& more, Edge until, ColumnEdges& edges);

  // Whether reads of the same port that come after `reads` leave its picks alone, being the next in order.
  bool follows(const ColumnReads& reads, const ColumnReads& next) const;
  // Whether reads that come after all others need not be requested before the next pick.
  bool can_wait(int port, const ColumnReads& reads) const;
  // The number of reads that have entered and are not picked.
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

  // The rows to which the accesses of a block in order go in turns.
  std::uint64_t block_ = ~std::uint64_t{0};
  std::array<contract::DdrPlace, 2> rows_;

  // The last read that entered, or was decided at once.
  int last_port_ = 0;
  std::uint64_t last_end_ = 0;  // the address behind it

  // So many of the reads in the controller, the last ones, are all to one row, or in turns to one row each of two groups.
  int ordered_ = 0;

  // The edges of the last picks of reads, one more than the controller can hold. Some may be to come: until then the
  // controller holds their reads.
  std::vector<Edge> picks_;
  std::size_t pick_count_;
};

}  // namespace fansim::timing::trains

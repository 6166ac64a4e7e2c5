// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "rules/ddr_controller.h"

namespace fansim::rules {

// What happened next: an access entered the controller, or was picked there.
struct DdrEvent {
  bool picked = false;
  bool write = false;
  int port = 0;
  int id = 0;
  std::int64_t edge = 0;
  DdrPick pick;  // if picked
};

// Consecutive column accesses of a port that may enter from `ready` on.
struct DdrReads {
  std::uint64_t address = 0;
  int count = 0;
  std::int64_t ready = 0;
};

// The ports of a banked DDR, each with a queue of column accesses per direction in front of the controller. One access
// per direction and edge of the memory clock enters, while the controller has room: the ports take turns, or the lowest
// port goes first.
class DdrPorts {
 public:
  DdrPorts(const contract::DdrPart& part, int ports, bool priority = false);

  // An access that may enter from `ready` on. Of a port and direction, `ready` never decreases.
  void request(int port, bool write, std::int64_t ready, std::uint64_t address, int id);
  // The next event at an edge of at most `until`; false: none. Everything ready before `until` must have been
  // requested. Without `each_entry`, of reads that enter only a port's oldest and its last requested one are events.
  bool next(std::int64_t until, DdrEvent& event, bool each_entry = true);
  // In place of requests: reads of a port, or the first of them, decided in one go, if no other read waits and none
  // comes before `until` but such as follow; `followed`: at least one does, ready an edge after them at most. False,
  // with nothing changed, if they may be held up.
  bool burst(int port, const DdrReads& reads, bool followed, std::int64_t until, DdrColumns& columns);
  // The reads of a port that are requested and not picked, if they are all of the controller's and of the ports',
  // number `id` the first of them: how many, and how many of the first ones are decided in order, the first waiting for
  // nothing but other reads, as is asked from `seen` on, and the others for them; else none.
  struct Waiting {
    int in_order = 0, all = 0;
  };
  Waiting waiting(int port, int id, std::int64_t seen);
  // Whether reads follow those, all of them.
  bool follows_waiting(int port, const DdrReads& reads);
  // burst() of the first `count` of those in order, or, where all are and `count` is more, of as many more: when the
  // first and when all of these are ready, and when one is that follows, if any.
  struct More {
    std::int64_t first = 0, last = 0, next = DdrPick::kNever;
  };
  bool drain(int port, int count, const More& more, std::int64_t until, DdrColumns& columns);
  // Whether reads of the same port that come after `reads` leave its picks alone, being the next in order.
  bool follows(const DdrReads& reads, const DdrReads& next) const;
  // The first edge at which a write requested so far may enter.
  std::int64_t next_write() const { return directions_[true].ready; }
  // When a port's read entered the controller, if it waits there; else never.
  std::int64_t arrival(int port, int id) const { return controller_.arrival(port, id); }
  // Whether reads of the port are requested and have not entered; how many have entered and are not picked.
  bool has_requests(int port) const { return !directions_[false].ports[static_cast<std::size_t>(port)].empty(); }
  int entered() const { return part_.read_queue - controller_.room(); }
  // Whether reads that come after all others need not be requested before the next pick.
  bool can_wait(int port, const DdrReads& reads) const;
  // No event before this edge, as far as the requests so far tell.
  std::int64_t next_edge() const;

  // What a read that entered before `edge` and is not picked waits for there, after next(edge) has found no more.
  ReadWait why(const DdrRequest& read, std::int64_t edge) const { return controller_.why(read, edge); }

  // With nothing waiting: the state of a fresh start at `edge`.
  void quiesce(std::int64_t edge);

  BankedDdrState& state() { return controller_.state(); }
  const BankedDdrState& state() const { return controller_.state(); }

 private:
  struct Access {
    std::int64_t ready;
    std::uint64_t address;
    int id;
  };
  struct Direction {
    std::vector<std::deque<Access>> ports;
    int turn = 0;
    std::int64_t free = 0;                 // first edge at which another may enter
    std::int64_t ready = DdrPick::kNever;  // the earliest head
  };
  std::int64_t entry(bool write) const;
  std::int64_t last_pick(int back) const;
  int choose(const Direction& direction, std::int64_t edge) const;
  void enter(bool write, std::int64_t edge, DdrEvent& event);
  bool turns_go_on();
  std::array<contract::DdrPlace, 2> next_rows();
  void note(const DdrColumns& columns);
  static void find_ready(Direction& direction);
  bool in_order(std::uint64_t address, std::uint64_t next) const;
  bool continues(int port, std::uint64_t address) const;
  const contract::DdrPlace& row_of(std::uint64_t address);

  const contract::DdrPart part_;
  const std::uint64_t bytes_;  // of an access
  const bool priority_;
  DdrController controller_;
  std::array<Direction, 2> directions_;  // reads, writes

  // The rows to which the accesses of a block in order go in turns.
  std::uint64_t block_ = ~std::uint64_t{0};
  std::array<contract::DdrPlace, 2> rows_;

  // Reads that entered, or were decided by burst(): the controller holds these until their picks, which may be to come.
  int last_port_ = 0;
  std::uint64_t last_end_ = 0;       // the address behind the last one
  std::vector<std::int64_t> picks_;  // the last ones, one more than it can hold
  std::size_t pick_count_ = 0;
};

}  // namespace fansim::rules

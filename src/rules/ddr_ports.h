// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
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
  std::uint64_t address = 0;  // if it entered
  DdrPick pick;               // if picked
};

// A column access at a port, which may enter the controller from `ready` on.
struct DdrAccess {
  std::int64_t ready;
  std::uint64_t address;
  int id;
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
  // requested.
  bool next(std::int64_t until, DdrEvent& event);
  // No event before this edge, as far as the requests so far tell.
  std::int64_t next_edge() const;

  // What a read that entered before `edge` and is not picked waits for there, after next(edge) has found no more.
  ReadWait why(const DdrRequest& read, std::int64_t edge) const { return controller_.why(read, edge); }

  // With nothing waiting: the state of a fresh start at `edge`.
  void quiesce(std::int64_t edge);

  BankedDdrState& state() { return controller_.state(); }
  const BankedDdrState& state() const { return controller_.state(); }

  // What waits: in the controller, and at a port; the first edge at which some of those may enter, never if there are
  // none, and the first at which any may.
  const DdrController& controller() const { return controller_; }
  int count() const { return static_cast<int>(directions_[false].ports.size()); }
  const std::deque<DdrAccess>& reads_at(int port) const { return at(false, port); }
  std::int64_t ready(bool write) const { return directions_[write].ready; }
  std::int64_t read_entry() const { return directions_[false].free; }
  // No read enters before this edge.
  void hold_reads(std::int64_t until) { directions_[false].free = std::max(directions_[false].free, until); }
  // The controller's oldest reads leave it, so many, and further ones of the port enter and leave, requested or not:
  // their picks are in the state.
  void drop_reads(int port, int waiting, int entering);

 private:
  struct Direction {
    std::vector<std::deque<DdrAccess>> ports;
    int turn = 0;
    std::int64_t free = 0;                 // first edge at which another may enter
    std::int64_t ready = DdrPick::kNever;  // the earliest head
  };
  const std::deque<DdrAccess>& at(bool write, int port) const {
    return directions_[write].ports[static_cast<std::size_t>(port)];
  }
  std::int64_t entry(bool write) const;
  int choose(const Direction& direction, std::int64_t edge) const;
  void enter(bool write, std::int64_t edge, DdrEvent& event);
  static void find_ready(Direction& direction);

  const contract::DdrPart part_;
  const bool priority_;
  DdrController controller_;
  std::array<Direction, 2> directions_;  // reads, writes
};

}  // namespace fansim::rules

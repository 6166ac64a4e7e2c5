// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <optional>
#include <string>

#include "axi/port_streams.h"

namespace fansim::cosim {

// Holds a manager's bursts of one direction, as the interconnect's boundary shows them at the beginning of an edge.
struct Traffic {
  std::optional<int> waiting;  // where its oldest burst goes
  int in_flight = 0;
  int target = 0;  // subordinate of those in flight
  std::int64_t taken = 0, over = 0;

  // `ends`: a burst's last beat, or its response, is the newest in the stream back to the manager.
  template <class Burst>
  void look(const sim::Stream<Burst>& bursts, std::int64_t shown, bool ends, int front_target) {
    if (taken < bursts.pops()) {
      ++taken;
      ++in_flight;
      target = *waiting;
    }
    if (over < shown) {
      ++over;
      in_flight -= ends;
    }
    waiting.reset();
    if (bursts.occupancy() > 0) waiting = front_target;
  }
  bool turns() const { return waiting && in_flight > 0 && *waiting != target; }
};

// Plays what is in front of a port.
struct Manager {
  explicit Manager(const std::string& name) : streams(name) {}
  axi::PortStreams streams;
  Traffic reads, writes;
  int left_reads = 0, left_writes = 0, left_data = 0;
  int favourite = 0;      // subordinate that most of its bursts are for
  std::deque<int> beats;  // write data to come, per burst
};

}  // namespace fansim::cosim

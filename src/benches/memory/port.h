// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>

#include "benches/memory/controller.h"
#include "benches/memory/path_config.h"
#include "benches/memory/transaction.h"

namespace fansim::benches {

// Models one direction of a port between two clocks. It accepts bursts on its own clock, and splits and issues them on
// the controller's clock.
class PortSide {
 public:
  PortSide(const PathConfig& config, int master, bool write);

  // These belong to the port's clock. At most one burst is accepted per cycle; the data of a write follow beat by beat.
  bool can_request() const { return static_cast<int>(bursts_.size()) < config_.port.command_queue; }
  void request(std::uint64_t address, std::int64_t bytes, Edge now);
  bool can_write_beat() const { return beats_ < config_.port.write_fifo; }
  void write_beat(Edge now);
  // Takes a beat of read data for the fabric; sets `last` if it is the last one of its burst.
  bool read_beat(Edge now, bool& last);
  // Takes a write's response.
  bool response(Edge now);

  // This belongs to the controller's clock.
  void step(Controller& controller, Edge now);

 private:
  struct Burst {
    std::uint64_t address;
    std::int64_t bytes;
    Edge ready;
  };
  void take_back(Controller& controller, Edge now);
  void cut(Edge now);
  void issue(Controller& controller, Edge now);
  Edge clocks(int n) const { return Edge{n} * config_.front.memory_clocks; }

  const PathConfig& config_;
  const int master_;
  const bool write_;
  std::deque<Burst> bursts_;
  std::deque<Transaction> cut_;
  std::deque<bool> issued_;       // for each issued transaction, whether it is the last of its burst
  int beats_ = 0;                 // in the FIFO: reserved for reads, held for writes
  std::deque<Edge> write_beats_;  // beats of writes that are not yet issued: when the controller's clock sees them
  struct Beat {
    Edge seen;
    bool last;
  };
  std::deque<Beat> data_;  // read data on the port's side, or responses
  int part_ = 0;           // bytes received of a beat that takes two column accesses
};

}  // namespace fansim::benches

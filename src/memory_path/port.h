// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>

#include "memory_path/controller.h"
#include "memory_path/path_config.h"
#include "memory_path/transaction.h"

namespace fansim::memory_path {

// One direction of a port between two clocks: takes bursts on its own clock, cuts and issues them on the controller's.
class PortSide {
 public:
  PortSide(const PathConfig& config, int master, bool write);

  // The port's clock. Bursts come one a cycle at most; of a write the data follow beat by beat.
  bool can_request() const { return static_cast<int>(bursts_.size()) < config_.port.command_queue; }
  void request(std::uint64_t address, std::int64_t bytes, Edge now);
  bool can_write_beat() const { return beats_ < config_.port.write_fifo; }
  void write_beat(Edge now);
  // A beat of read data for the fabric; `last` of its burst.
  bool read_beat(Edge now, bool& last);
  // A write's response.
  bool response(Edge now);

  // The controller's clock.
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
  std::deque<bool> issued_;       // on their way: whether each is the last of its burst
  int beats_ = 0;                 // of the FIFO: reserved for reads, held of writes
  std::deque<Edge> write_beats_;  // that were not issued: seen by the controller's clock from here on
  struct Beat {
    Edge seen;
    bool last;
  };
  std::deque<Beat> data_;  // read data on the port's side, or responses
  int part_ = 0;           // bytes of a beat that came in two column accesses
};

}  // namespace fansim::memory_path

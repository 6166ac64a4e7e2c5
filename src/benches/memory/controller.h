// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_set>
#include <vector>

#include "benches/memory/path_config.h"
#include "benches/memory/transaction.h"
#include "rules/ddr_controller.h"

namespace fansim::benches {

// Holds the data of one column access, back at the controller's port. The last of its bytes is complete at `edge`.
struct ReadData {
  Edge edge = 0;
  int bytes = 0;
  bool last = false;  // the last access of its transaction
};

// Models a controller with several ports in front of a banked DDR, stepped on its own clock. The masters of a port take
// turns transaction by transaction. The ports take turns column access by column access, with one grant per clock for
// reads and writes together. A write's data occupy its port beat by beat, and the path to the queue for the whole
// access. Read data return over the port's data path in the order in which a master asked.
class Controller {
 public:
  // masters[m] is the port of master m.
  Controller(const FrontConfig& front, const contract::DdrPart& part, const std::vector<int>& masters);

  // Takes a transaction that is at its port from `ready` on. For each master and direction `ready` must not decrease.
  void submit(int master, bool write, const Transaction& transaction, Edge ready);
  // Does the controller's clock edge at memory edge `now`. It must be called for every edge in turn.
  void step(Edge now);

  std::deque<ReadData>& read_data(int master) { return masters_[static_cast<std::size_t>(master)].data; }
  // Returns the edges at which writes of the master were completely in the queue.
  std::deque<Edge>& written(int master) { return masters_[static_cast<std::size_t>(master)].written; }

  const rules::BankedDdrState& memory() const { return ddr_.state(); }

 private:
  struct Waiting {
    Transaction transaction;
    Edge ready = 0;
    std::uint64_t next = 0;  // address of the next column access
  };
  struct Asked {
    Edge done = -1;  // the data have left the bus
    int bytes = 0;
    bool last = false;
  };
  struct Master {
    int port = 0;
    std::deque<Waiting> waiting[2];  // reads, writes
    std::deque<Asked> asked;         // column reads in order
    std::int64_t first_asked = 0;    // number of the front of `asked`
    std::deque<ReadData> data;
    std::deque<Edge> written;
  };
  struct Port {
    std::vector<int> masters;
    int turn[2] = {};           // index into masters
    int current[2] = {-1, -1};  // the master whose transaction is in progress
    Edge write_free = 0;        // when its data path accepts another write
    Edge read_free = 0;         // when its data path accepts the data of another read
    int read_turn = 0;
    int reads = 0;  // transactions in progress
  };

  bool select(Port& port, bool write, Edge now);
  bool grant(Port& port, bool write, Edge now);
  bool queue_read(int master, const Waiting& waiting, Edge now);
  bool queue_write(Port& port, int master, const Waiting& waiting, Edge now);
  Edge clocks(std::int64_t n) const { return n * front_.memory_clocks; }
  void decide(Edge now);
  void return_data(Edge now);

  const FrontConfig front_;
  const contract::DdrPart part_;
  rules::DdrController ddr_;
  std::vector<Master> masters_;
  std::vector<Port> ports_;
  int turn_ = 0;
  Edge queue_free_ = 0;                           // when the path of write data into the queue is free
  std::unordered_set<std::uint64_t> combinable_;  // addresses of waiting column writes
  std::vector<std::uint64_t> write_address_;      // by id
  std::vector<int> free_ids_;                     // of column writes
};

}  // namespace fansim::benches

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_set>
#include <vector>

#include "memory_path/path_config.h"
#include "memory_path/transaction.h"
#include "rules/ddr_controller.h"

namespace fansim::memory_path {

// Data of one column access, back at the controller's port: so many bytes, the last of them complete at `edge`.
struct ReadData {
  Edge edge = 0;
  int bytes = 0;
  bool last = false;  // of its transaction
};

// A controller with several ports before a banked DDR, stepped on its own clock. The masters of a port take turns
// transaction by transaction; the ports take turns column access by column access, one grant a clock, reads and writes
// alike. A write's data take its port beat by beat, the way to the queue for the whole access. Read data come back in
// the order in which a master asked, over its port's data path.
class Controller {
 public:
  // masters[m]: the port of master m.
  Controller(const FrontConfig& front, const contract::DdrPart& part, const std::vector<int>& masters);

  // A transaction that is at its port from `ready` on; of a master and direction `ready` never decreases.
  void submit(int master, bool write, const Transaction& transaction, Edge ready);
  // The controller's clock edge at memory edge `now`; every edge in turn.
  void step(Edge now);

  std::deque<ReadData>& read_data(int master) { return masters_[static_cast<std::size_t>(master)].data; }
  // Edges at which writes of the master were in the queue as a whole.
  std::deque<Edge>& written(int master) { return masters_[static_cast<std::size_t>(master)].written; }

  const rules::BankedDdrState& memory() const { return ddr_.state(); }

 private:
  struct Waiting {
    Transaction transaction;
    Edge ready = 0;
    std::uint64_t next = 0;  // address of the next column access
  };
  struct Asked {
    Edge done = -1;  // data are off the bus
    int bytes = 0;
    bool last = false;
  };
  struct Master {
    int port = 0;
    std::deque<Waiting> waiting[2];  // reads, writes
    std::deque<Asked> asked;         // column reads in order
    std::int64_t first_asked = 0;    // number of the front
    std::deque<ReadData> data;
    std::deque<Edge> written;
  };
  struct Port {
    std::vector<int> masters;
    int turn[2] = {};           // index into masters
    int current[2] = {-1, -1};  // the master whose transaction is under way
    Edge write_free = 0;        // its data path takes another write
    Edge read_free = 0;         // its data path takes data of another read
    int read_turn = 0;
    int reads = 0;  // transactions on their way
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
  Edge queue_free_ = 0;                           // the way of write data into the queue
  std::unordered_set<std::uint64_t> combinable_;  // addresses of column writes that wait
  std::vector<std::uint64_t> write_address_;      // by id
  std::vector<int> free_ids_;                     // of column writes
};

}  // namespace fansim::memory_path

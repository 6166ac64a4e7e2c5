// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/rational.h"
#include "contract/ddr_part.h"

namespace fansim::benches {

// Describes the traffic generators in the fabric, one per port and direction.
struct GeneratorConfig {
  int outstanding = 50;
  int start_gap = 0;

  template <class V>
  void visit(V&& v) {
    v.field("outstanding", outstanding, 1, 1024, "bursts in flight of one direction of a generator");
    v.field("start_gap", start_gap, 0, 1000000, "cycles of the ports' clock from one port's start to the next port's");
  }
};

// Describes what lies between a port and the controller: queues of bursts, the split into transactions, and FIFOs of
// data. Clocks are the controller's.
struct PortConfig {
  int command_queue = 38;
  int transaction_beats = 16;
  int cut_queue = 1;
  int read_issue = 8;
  int write_issue = 8;
  int read_fifo = 128;
  int write_fifo = 128;
  int request_latency = 10;
  int response_latency = 10;

  template <class V>
  void visit(V&& v) {
    v.field("command_queue", command_queue, 1, 4096, "bursts of a direction that a port takes before they are cut");
    v.field("transaction_beats", transaction_beats, 1, 256, "beats of the transactions that bursts are cut into");
    v.field("cut_queue", cut_queue, 1, 4096, "transactions that were cut and are not issued");
    v.field("read_issue", read_issue, 1, 4096, "read transactions of a port on their way");
    v.field("write_issue", write_issue, 1, 4096, "write transactions of a port on their way");
    v.field("read_fifo", read_fifo, 16, 65536, "beats of read data, reserved before a transaction is issued");
    v.field("write_fifo", write_fifo, 16, 65536, "beats of write data");
    v.field("request_latency", request_latency, 0, 4096, "clocks from the port to the controller's port");
    v.field("response_latency", response_latency, 0, 4096, "clocks from the controller's port to the port");
  }
};

// Describes the controller's front end: its own ports, which several ports of the board may share, and the arbiter that
// gives column accesses to the queues.
struct FrontConfig {
  int memory_clocks = 2;
  int data_bits = 128;
  int queue_bits = 256;
  int read_issue = 8;
  int latency = 8;
  int return_latency = 10;
  bool write_combining = true;

  template <class V>
  void visit(V&& v) {
    v.field("memory_clocks", memory_clocks, 1, 8, "memory clocks of one clock of the controller");
    v.field("data_bits", data_bits, 32, 1024, "width of the controller's ports");
    v.field("queue_bits", queue_bits, 32, 1024, "width of the write data's way into the queue");
    v.field("read_issue", read_issue, 1, 4096, "read transactions of a port of the controller on their way");
    v.field("latency", latency, 0, 256, "clocks from a grant to the queue");
    v.field("return_latency", return_latency, 0, 256, "clocks from the end of read data on the bus to the port");
    v.field("write_combining", write_combining, "a write joins one to the same column access that still waits");
  }
};

struct BoardPort {
  std::string name;
  int controller_port = 0;
};

// Describes the ports of a board's memory, and everything behind them.
struct PathConfig {
  std::string name;
  base::Rational clock_mhz{300, 1};  // clock of ports and generators
  int data_bits = 128;               // width of a port
  std::string mapping;               // mapping of the memory, by name
  std::vector<BoardPort> ports;
  GeneratorConfig generator;
  PortConfig port;
  FrontConfig front;
  contract::DdrPart memory;

  int beat_bytes() const { return data_bits / 8; }

  template <class F>
  void visit_blocks(F&& f) {
    f("generator", generator);
    f("port", port);
    f("controller", front);
  }
};

PathConfig load_path(const std::string& path, const std::vector<std::string>& overrides);

}  // namespace fansim::benches

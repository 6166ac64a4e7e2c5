// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "rules/clock_ratio.h"
#include "rules/ddr_ports.h"
#include "timing/queue.h"
#include "timing/tiled/memory_ports.h"

namespace fansim::timing {

// DDR with banks and rows behind its ports: memory::BankedDdr and BankedMemory, an event of their controller at a time.
class BankedPorts final : public MemoryPorts {
 public:
  explicit BankedPorts(const arch::TiledConfig& config);

  void read(int port, ReadSink& sink, Edge accepted, std::uint32_t address, int beats) override;
  void write(int port, WriteSource& source, Edge accepted, std::uint32_t address, int beats) override;
  void written(int port, std::uint32_t address, bool last, Edge popped) override;
  bool next() override;

 private:
  static constexpr Edge kUnknown = kNever;

  // A column access of a read. Edges with "memory" are the memory's.
  struct Access {
    std::uint32_t address;
    int beats;
    bool last;  // of its burst
    ReadSink* sink;
    Edge accepted;                   // with its burst
    Edge memory_arrival = kUnknown;  // in the controller
    Edge memory_row_ready = kUnknown, memory_column = kUnknown;
    Edge ready = kUnknown;                         // its beats may leave
    Edge sent = kUnknown;                          // its last one
    rules::ReadWait wait = rules::ReadWait::none;  // from row_ready to column
  };
  // What has not been handed to the controller of a read burst.
  struct Ahead {
    rules::DdrReads reads;
    std::uint32_t address;
    int beats;
    bool whole;  // to the burst's end
    ReadSink* sink;
    Edge accepted;
  };
  struct Choice {
    int accesses;
    Edge ready;
  };
  struct Write {
    WriteSource* source;
    int accesses;  // that the response waits for
    Edge response = kUnknown;
  };
  struct Port {
    Queue<Access> accesses;  // whose waits are not all known
    int accesses_popped = 0;
    Queue<Ahead> ahead;
    std::size_t sent = 0;  // of those, the first ones of which all edges are known
    Queue<Write> writes;   // without response
    int writes_popped = 0;
    int writes_whole = 0;  // the first of those: they have all their beats
    Edge waited = 0;       // what the oldest read waits for is known up to here
  };

  std::uint32_t access_of(std::uint32_t address) const { return address / access_bytes_; }
  Edge seen(Edge memory_edge) const;
  Edge ready(Edge accepted) const { return ratio_.fast_at(accepted + config_.request_latency) + 1; }
  Edge data_ready(Edge column) const {
    return ratio_.slow_after(column + config_.part.cl + arch::DdrPart::kBurstClocks) + config_.response_latency;
  }
  Edge next_ahead(int port) const { return port_ahead(port).empty() ? kUnknown : port_ahead(port).front().reads.ready; }
  const Queue<Ahead>& port_ahead(int port) const { return ports_[static_cast<std::size_t>(port)].ahead; }
  int first_ahead() const;
  bool can_wait(int number, Edge edge) const;
  Ahead take_ahead(int number);
  bool admit(int number);
  void request(int number, const Ahead& part);
  Choice next_choice(int number, const rules::DdrReads& last) const;
  Edge others_from(int number, const Ahead& part) const;
  void send_whole(int number, const Ahead& part, const rules::DdrColumns& columns);
  bool handle(const rules::DdrEvent& event);
  bool send(Port& port);
  void respond(Port& port);
  void wait_until(int number, Edge memory_edge);
  rules::ReadWait why(int number, const Access& access, Edge memory_edge) const;

  const arch::DdrConfig config_;
  const std::uint32_t access_bytes_, beat_bytes_;
  const int part_accesses_;  // handed over at once
  const rules::ClockRatio ratio_;
  rules::DdrPorts controller_;
  std::array<Port, 2> ports_;
};

}  // namespace fansim::timing

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "rules/clock_ratio.h"
#include "rules/ddr_ports.h"
#include "rules/pace.h"
#include "timing/memory.h"
#include "timing/queue.h"

namespace fansim::timing {

// DDR with banks and rows, an event of its controller at a time: what memory::BankedDdr and memory::BankedMemory step.
class BankedMemory : public Memory {
 public:
  BankedMemory(const contract::DdrConfig& config, int beat_bytes, const base::Rational& port_mhz, int ports);

  void read(int port, ReadSink& sink, Edge accepted, std::uint32_t address, int beats) override;
  void write(int port, WriteSource& source, Edge accepted, std::uint32_t address, int beats) override;
  void written(int port, int beats, Edge popped) override;
  bool next() override;

 protected:
  // A read burst, or consecutive beats of one.
  struct ReadBeats {
    std::uint32_t address;
    int beats;
    bool last;  // to the burst's end
    ReadSink* sink;
    Edge accepted;  // with its burst
  };
  // A column access of a read. Edges with "memory" are the memory's.
  struct Access {
    ReadBeats read;
    Edge memory_arrival = kNever;  // in the controller
    Edge memory_row_ready = kNever, memory_column = kNever;
    rules::ReadWait wait = rules::ReadWait::none;  // from row_ready to column
  };
  struct Write {
    WriteSource* source;
    std::uint32_t address;  // of its next beat
    int beats;              // to come
    int accesses;           // that the response waits for
    Edge response = kNever;
  };
  struct Port {
    Queue<Access> accesses;  // whose beats are not sent
    int accesses_popped = 0;
    Queue<Write> writes;  // without response
    int writes_popped = 0;
    int writes_whole = 0;    // the first of those: they have all their beats
    Edge waited = kLongAgo;  // what the oldest read waits for is known up to here; the last beat sent, or later
    rules::PacedPort paced_reads, paced_writes;
  };

  Port& at(int port) { return ports_[static_cast<std::size_t>(port)]; }
  const Port& at(int port) const { return ports_[static_cast<std::size_t>(port)]; }
  std::uint32_t access_of(std::uint32_t address) const { return address / access_bytes_; }
  Edge ready(Edge accepted) const { return ratio_.fast_at(accepted + config_.request_latency) + 1; }
  Edge data_ready(Edge column) const {
    return ratio_.slow_after(column + config_.part.cl + config_.part.burst_clocks()) + config_.response_latency;
  }

  // Hands beats to the controller, access by access, as if they had come at the edge `passes`.
  void request(int port, const ReadBeats& read, Edge passes);
  // The last edge of the memory up to which the ports let the next event be looked for, of which there is none before
  // `edge`; until then they learn what their oldest reads wait for.
  Edge look_until(Edge edge);
  // Tells those whom an event concerns; true: somebody may go on.
  bool handle(const rules::DdrEvent& event);
  // Sends what is decided of the port's reads, in order; true: the last beats of a burst.
  bool send(int port);

  const contract::DdrConfig config_;
  const std::uint32_t access_bytes_, beat_bytes_;
  const int count_;  // of ports
  const rules::Pace pace_;
  const rules::ClockRatio ratio_;
  rules::DdrPorts controller_;

 private:
  static void respond(Port& port);
  Edge wait_until(int port, Edge memory_edge);
  rules::ReadWait why(const Access& access, Edge memory_edge) const;

  std::array<Port, kMostPorts> ports_;
};

}  // namespace fansim::timing

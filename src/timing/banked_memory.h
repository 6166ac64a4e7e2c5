// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "rules/clock_ratio.h"
#include "rules/ddr_ports.h"
#include "timing/memory.h"
#include "timing/queue.h"

namespace fansim::timing {

// DDR with banks and rows: memory::BankedDdr and BankedMemory, an event of their controller at a time.
class BankedMemory final : public Memory {
 public:
  BankedMemory(const contract::DdrConfig& config, int beat_bytes, const base::Rational& port_mhz, int ports);

  void read(int port, ReadSink& sink, Edge accepted, std::uint32_t address, int beats) override;
  void write(int port, WriteSource& source, Edge accepted, std::uint32_t address, int beats) override;
  void written(int port, int beats, Edge popped) override;
  bool next() override;

  bool repeats() const override { return steady_; }
  Edge origin() const override { return ports_[0].waited; }
  void describe(std::vector<Edge>& state) const override;
  std::int64_t repeatable(Edge period) const override;
  void skip(std::int64_t bursts, Edge period) override;

 private:
  // A column access of a read. Edges with "memory" are the memory's.
  struct Access {
    std::uint32_t address;
    int beats;
    bool last;  // of its burst
    ReadSink* sink;
    Edge accepted;  // with its burst
    Edge memory_row_ready = kNever, memory_column = kNever;
    rules::ReadWait wait = rules::ReadWait::none;  // from row_ready to column
  };
  // What has not been handed to the controller of a read burst.
  struct Ahead {
    rules::DdrReads reads;
    std::uint32_t address;
    int beats;
    bool last;  // to the burst's end
    ReadSink* sink;
    Edge accepted;
  };
  struct Choice {
    int accesses;
    Edge ready;
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
    Queue<Ahead> ahead;
    Queue<Write> writes;  // without response
    int writes_popped = 0;
    int writes_whole = 0;    // the first of those: they have all their beats
    Edge waited = kLongAgo;  // what the oldest read waits for is known up to here; the last beat sent, or later
  };

  Port& at(int port) { return ports_[static_cast<std::size_t>(port)]; }
  const Port& at(int port) const { return ports_[static_cast<std::size_t>(port)]; }
  std::uint32_t access_of(std::uint32_t address) const { return address / access_bytes_; }
  Edge ready(Edge accepted) const { return ratio_.fast_at(accepted + config_.request_latency) + 1; }
  Edge data_ready(Edge column) const {
    return ratio_.slow_after(column + config_.part.cl + contract::DdrPart::kBurstClocks) + config_.response_latency;
  }
  Edge next_ahead(int port) const { return at(port).ahead.empty() ? kNever : at(port).ahead.front().reads.ready; }
  Edge next_of_others(int port) const;
  int first_ahead() const;
  Edge due(int number) const;
  bool admit(int number);
  bool drain(int number, bool& sent);
  static Edge ready_ahead(const Queue<Ahead>& ahead, int reads);
  int left_alone(int in_order) const;
  bool send_decided(int number, const rules::DdrColumns& columns);
  Ahead take_next(int number, int most);
  Ahead take_part(Queue<Ahead>& ahead, int accesses) const;
  void request(int number, const Ahead& part);
  Choice next_choice(int number, std::size_t next, const rules::DdrReads& last) const;
  Edge others_from(int number, const Choice& behind) const;
  void send_part(int number, const Ahead& part, const rules::DdrColumns& columns, int first);
  int send_runs(const Ahead& part, const rules::DdrColumns& columns, int first, Edge& last) const;
  bool handle(const rules::DdrEvent& event);
  bool send(int number);
  static void respond(Port& port);
  Edge wait_until(int number, Edge memory_edge);
  rules::ReadWait why(const Access& access, Edge memory_edge) const;

  const contract::DdrConfig config_;
  const std::uint32_t access_bytes_, beat_bytes_;
  const int part_accesses_;  // requested at once
  const int count_;          // of ports
  const rules::ClockRatio ratio_;
  rules::DdrPorts controller_;
  std::array<Port, kMostPorts> ports_;
  int orderly_ = -1;  // the port whose read was picked last, others of which may be decided in one go
  // The last decision sent a whole burst behind the one before, picked at once when it came; nothing waits.
  bool steady_ = false;
  rules::DdrColumns columns_;  // of that
};

}  // namespace fansim::timing

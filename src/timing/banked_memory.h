// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rules/clock_ratio.h"
#include "rules/ddr_ports.h"
#include "timing/memory.h"
#include "timing/queue.h"

namespace fansim::timing {

// DDR with banks and rows: memory::BankedDdr behind its one port, an event of its controller at a time.
class BankedMemory final : public Memory {
 public:
  BankedMemory(const arch::DdrConfig& ddr, const arch::AxiConfig& axi, const base::Rational& port_mhz);

  void read(const Burst& burst) override;
  void write(const Burst& burst) override;
  void written(Edge popped) override;
  bool next(MemoryEvent& event) override;
  bool repeats() const override { return steady_; }
  Edge origin() const override { return sent_; }
  void describe(std::vector<Edge>& state) const override;
  std::int64_t repeatable(Edge period) const override;
  void skip(std::int64_t bursts, Edge period) override;

 private:
  // A column access of a read. Edges with "memory" are the memory's.
  struct Access {
    std::uint32_t address;
    int beats;
    bool last;                     // of its burst
    Edge accepted;                 // with its burst
    Edge memory_arrival = kNever;  // in the controller
    bool picked = false;
    Edge ready = kNever;  // its beats may leave
    Edge memory_row_ready = 0, memory_column = 0;
    Span memory_refresh{};                         // the last one when it was picked
    rules::ReadWait wait = rules::ReadWait::none;  // from row_ready to column
  };
  struct Write {
    std::uint32_t address;
    int beats;
    Edge pushed;
    int accesses;  // that the response waits for
    bool announced = false;
    Edge response = kNever;
  };

  // A read burst whose accesses have not entered the controller.
  struct Ahead {
    rules::DdrReads reads;
    std::uint32_t address;
    int beats;
    Edge accepted;
  };

  std::uint32_t access_of(std::uint32_t address) const { return address / access_bytes_; }
  Edge ready(Edge accepted) const { return ratio_.fast_at(accepted + config_.request_latency) + 1; }
  bool admit(MemoryEvent& event);
  bool holds(Edge edge) const;
  Edge others_from(const Ahead& burst) const;
  void send_whole(const Ahead& burst, const rules::DdrColumns& columns, MemoryEvent& event);
  void wait_until_arrival(const Ahead& burst);
  void split(const Ahead& burst, std::uint32_t at);
  Edge data_ready(Edge column) const {
    return ratio_.slow_after(column + config_.part.cl + arch::DdrPart::kBurstClocks) + config_.response_latency;
  }
  bool announce(MemoryEvent& event);
  bool respond(MemoryEvent& event);
  void send(MemoryEvent& event);
  void handle(const rules::DdrEvent& event);
  void wait_at(Edge edge);
  rules::ReadWait why(const Access& access, Edge edge) const;

  const arch::DdrConfig config_;
  const std::uint32_t access_bytes_;
  const std::uint32_t beat_bytes_;
  const rules::ClockRatio ratio_;
  rules::DdrPorts ports_;

  Queue<Access> accesses_;  // not sent, in order; those of ahead_ come behind them
  int accesses_popped_ = 0;
  Queue<Ahead> ahead_;
  Edge sent_ = kLongAgo;    // the last beat sent
  Edge waited_ = kLongAgo;  // what the oldest read waits for is known up to here
  // The last event sent a whole burst behind the one before, picked here, at once when it came; nothing waits.
  bool steady_ = false;
  rules::DdrColumns columns_;

  Queue<Write> writes_;        // without response, in order
  std::size_t announced_ = 0;  // of those: their beats are on their way
  int writes_popped_ = 0;
  Edge responded_ = kLongAgo;
};

}  // namespace fansim::timing

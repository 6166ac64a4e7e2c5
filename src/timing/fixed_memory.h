// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "rules/fixed_ddr.h"
#include "timing/memory.h"
#include "timing/queue.h"

namespace fansim::timing {

// DDR with constants for its timing: memory::FixedDdr and FixedMemory, a decision per burst.
class FixedMemory final : public Memory {
 public:
  FixedMemory(const contract::DdrConfig& config, int beat_bytes, int ports);

  void read(int port, ReadSink& sink, Edge accepted, std::uint32_t address, int beats) override;
  bool read_all(ReadSink& sink, const Train& train) override;
  Edge read_whole(const Train& train, Edge before) override;
  Edge read_latency() const override { return config_.read_latency; }
  std::int64_t repeat_reads(const std::vector<Span>& reads, Edge period, std::int64_t most) override;
  Edge quiet_until(Edge first, Edge read_arrives) override;
  void write_all(const WholeWrite& last) override;
  bool meets(Edge seen, Meeting& meeting) override;
  std::optional<std::int64_t> met(const Meeting& meeting) const override;
  bool meet(const Meeting& meeting, std::int64_t beats, const WholeWrite& write) override;
  void write(int port, WriteSource& source, Edge accepted, std::uint32_t address, int beats) override;
  void written(int port, int beats, Edge popped) override;
  bool next() override;
  int decide(const bool& stirred, int most) override;

  bool repeats() const override { return true; }
  Edge origin() const override { return state_[0].bus_free; }
  void describe(std::vector<Edge>& state) const override;
  std::int64_t repeatable(Edge period) const override;
  void skip(std::int64_t bursts, Edge period) override;

 private:
  struct Read {
    rules::Request request;
    ReadSink* sink;
  };
  struct Write {
    rules::Request request;
    WriteSource* source;
  };
  // A train of which not all bursts are granted.
  struct Running {
    Train train;
    ReadSink* sink;
    std::int64_t next = 0;  // the first beat of the next burst
  };
  struct Port {
    // The oldest read that is not granted.
    rules::Request read(int number) const;
    rules::Request of_train(int number) const;

    Queue<Read> reads;               // not granted
    std::optional<Running> train;    // or this one
    std::int64_t trains = 0;         // so far
    Queue<Write> writes;             // not granted
    WriteSource* writing = nullptr;  // its burst is being taken
    int to_write = 0;                // beats of that
    Edge waited = kLongAgo;          // what the oldest read waits for is known up to here; the last beat sent, or later
  };

  // Of a lane, between what is asked for; never, if nothing is.
  struct Decision {
    int lane;
    Edge edge;
  };
  enum class Made { none, untold, one };

  int lane_of(int port) const { return lanes_ > 1 ? port : 0; }
  rules::Requests heads(int lane) const;
  Decision decision(int lane, const rules::Request& read, const rules::Request& write) const;
  Made make(const Decision& next, const rules::Request& read, const rules::Request& write);
  Made decide_first();
  Made decide_alone();
  Made grant_read(int number, int beats, const rules::Pick& pick);
  void grant_write(int number, int beats, Edge start);
  void look_at(int number, const Decision& next);
  void wait_until(int number, Edge edge);
  Edge granted(Edge edge);
  Edge alone(Edge seen);
  Edge turned(Edge edge);
  bool quiet() const;
  std::int64_t run_bursts(const rules::BurstStarts& starts, std::int64_t first, Edge start, Edge write);
  bool run_train(Edge start);

  const contract::DdrConfig config_;
  const int count_;  // of ports
  const int lanes_;
  rules::FixedDdrState state_;
  std::array<Port, kMostPorts> ports_;
};

}  // namespace fansim::timing

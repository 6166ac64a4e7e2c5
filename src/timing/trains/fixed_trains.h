// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "timing/fixed_memory.h"
#include "timing/trains/read_train.h"
#include "timing/trains/repeating_reads.h"

namespace fansim::timing::trains {

// DDR with constants for its timing behind one port, and what closed forms say of its decisions: all bursts of a read
// at once up to the next refresh or write, all bursts of writes on a quiet bus, reads that repeat themselves.
class FixedTrains final : public FixedMemory, public RepeatingReads {
 public:
  FixedTrains(const contract::DdrConfig& config, int beat_bytes) : FixedMemory(config, beat_bytes, 1) {}

  // From the grant of a read to its first beat.
  Edge read_latency() const { return config_.read_latency; }

  // Takes a whole read, while no other read is outstanding. The sink is told of the last burst's data alone. false:
  // each burst must be asked for.
  bool read_all(ReadSink& sink, const ReadTrain& train);
  // Makes a whole read at once if no burst of it is granted at `before` or later, where a write may be seen. Returns
  // the edge behind its last beat on the bus; nobody is told. Never: it cannot be made so.
  Edge read_whole(const ReadTrain& train, Edge before);
  // While nothing is outstanding: makes reads that hold the bus in these spans, and again every `period` edges, as
  // often as no refresh meets one of them, `most` times at most. Returns how often.
  std::int64_t repeat_reads(const std::vector<Span>& reads, Edge period, std::int64_t most);
  // While no response is owed: whole writes one after another, the first decision at `first`, have the bus to
  // themselves as long as their last decisions come no later than this edge, if no read arrives before `read_arrives`.
  // Long ago: each burst must be asked for.
  Edge quiet_until(Edge first, Edge read_arrives);
  // Such writes are made; `last` is the last of them. The source is told of nothing.
  void write_all(const WriteOnBus& last);
  // While no response is owed: where a write that is seen from `seen` on meets the read train. false: it comes before
  // the read, or it cannot be told.
  bool meets(Edge seen, Meeting& meeting);
  // After the decision on that write's last burst: how many beats of the read were granted since they met. None: the
  // read or the time to the next refresh is over.
  std::optional<std::int64_t> met(const Meeting& meeting) const;
  // Makes that write, and so many beats of the read until its last burst, at once. false: the read has fewer beats
  // left, or a refresh is due.
  bool meet(const Meeting& meeting, std::int64_t beats, const WriteOnBus& write);

  bool next() override;
  int decide(const bool& stirred, int most) override;

  bool repeats() const override { return true; }
  Edge origin() const override { return bus().bus_free; }
  void visit(PeriodWriter& state) override { visit_all(state); }
  void visit(Shift& state) override { visit_all(state); }
  std::int64_t repeatable(Edge period) const override;
  void grant(std::int64_t bursts, Edge period) override { waits(0).extend(bursts * period); }

 private:
  // The train whose bursts are being granted.
  struct Running {
    ReadTrain train;
    ReadSink* sink;
    std::int64_t next = 0;  // the first beat of the next burst
  };

  // A refresh between two decisions makes them different, whatever else they leave alike.
  template <class State>
  void visit_all(State& state) {
    state.edge(bus().bus_free);
    state.edge(bus().burst_start);
    state.edge(bus().burst_end);
    state.edge(port().waited);
    std::size_t waits = read_waits(0).all().size();
    state.number(waits);
    state.number(state_.refreshes);
    state.queue(port().reads, [&](Read& read) {
      state.edge(read.request.arrival);
      state.number(read.request.beats);
    });
  }

  rules::FixedDdrLane& bus() { return state_[0]; }
  const rules::FixedDdrLane& bus() const { return state_[0]; }
  Port& port() { return ports_[0]; }
  const Port& port() const { return ports_[0]; }
  rules::Request next_of_train() const;
  bool quiet() const;
  Edge granted(Edge edge);
  Edge turned(Edge edge);
  std::int64_t grant_bursts(const rules::BurstStarts& starts, std::int64_t first, Edge start, Edge write);
  bool run_train(Edge start);

  std::optional<Running> train_;
  std::int64_t trains_ = 0;  // so far
};

}  // namespace fansim::timing::trains

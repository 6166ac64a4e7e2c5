// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "timing/banked_memory.h"
#include "timing/trains/column_trains.h"
#include "timing/trains/repeating_reads.h"

namespace fansim::timing::trains {

// timing::BankedMemory that decides whole bursts, or parts of them, at once. It hands reads over as late as can be:
// until then more is known of what comes after them.
class BankedMemory final : public timing::BankedMemory, public RepeatingReads {
 public:
  BankedMemory(const contract::DdrConfig& config, int beat_bytes, const base::Rational& port_mhz, int ports);

  void read(int port, ReadSink& sink, Edge accepted, std::uint32_t address, int beats) override;
  bool next() override;

  bool repeats() const override { return steady_; }
  Edge origin() const override { return at(0).waited; }
  void visit(PeriodWriter& state) override;
  void visit(Shift&) override {}  // grant() makes all of it later
  std::int64_t repeatable(Edge period) const override;
  void grant(std::int64_t bursts, Edge period) override;

 private:
  // The part of a read burst that is not handed over.
  struct Ahead : ReadBeats {
    ColumnReads reads;
  };
  struct Choice {
    int accesses;
    Edge ready;
  };

  Queue<Ahead>& ahead(int port) { return ahead_[static_cast<std::size_t>(port)]; }
  const Queue<Ahead>& ahead(int port) const { return ahead_[static_cast<std::size_t>(port)]; }
  Edge next_ahead(int port) const { return ahead(port).empty() ? kNever : ahead(port).front().reads.ready; }
  Edge next_of_others(int port) const;
  int first_ahead() const;
  Edge due(int port) const;
  bool admit(int port);
  bool step(Edge until);
  bool drain(int port, bool& sent);
  static Edge ready_ahead(const Queue<Ahead>& ahead, int reads);
  int left_alone(int in_order) const;
  bool send_decided(int port, const ColumnEdges& edges);
  Ahead take_next(int port, int most);
  Ahead take_part(Queue<Ahead>& ahead, int accesses) const;
  Choice next_choice(int port, std::size_t next, const ColumnReads& last) const;
  Edge others_from(int port, const Choice& behind) const;
  void send_part(int port, const Ahead& part, const ColumnEdges& edges, int first);
  int send_beats(const Ahead& part, const ColumnEdges& edges, int first, Edge& last) const;

  const int part_accesses_;  // requested at once
  ColumnTrains trains_;
  std::array<Queue<Ahead>, kMostPorts> ahead_;
  int orderly_ = -1;  // the port whose read was picked last; further ones of it may be decided at once
  // The last decision sent a whole burst behind the one before, picked at once when it came; nothing waits.
  bool steady_ = false;
  ColumnEdges edges_;  // of that
};

}  // namespace fansim::timing::trains

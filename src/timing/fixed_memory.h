// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rules/fixed_ddr.h"
#include "timing/memory.h"
#include "timing/queue.h"

namespace fansim::timing {

// DDR with constants for its timing: memory::FixedDdr, a decision per burst.
class FixedMemory final : public Memory {
 public:
  explicit FixedMemory(const arch::DdrConfig& config);

  void read(const Burst& burst) override { reads_.push({burst.pushed + 1, burst.beats}); }
  void write(const Burst& burst) override { writes_.push({burst.pushed + 1, burst.beats}); }
  void written(Edge) override {}
  bool next(MemoryEvent& event) override;
  bool repeats() const override { return true; }
  void describe(std::vector<Edge>& state) const override;
  Edge origin() const override { return state_.bus_free; }
  std::int64_t repeatable(Edge period) const override;
  void skip(std::int64_t bursts, Edge period) override;

 private:
  void wait_until(Edge edge);

  const arch::DdrConfig config_;
  rules::FixedDdrState state_;
  Queue<rules::Request> reads_;   // not granted
  Queue<rules::Request> writes_;  // not granted
  bool response_due_ = false;     // of the write granted last
  Edge response_ = 0;
  Edge sent_ = kLongAgo;    // the last beat of the reads granted so far
  Edge waited_ = kLongAgo;  // what the oldest read waits for is known up to here
};

}  // namespace fansim::timing

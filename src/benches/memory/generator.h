// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>

#include "benches/memory/traffic.h"

namespace fansim::benches {

// Holds what a generator has done so far, in cycles of the ports' clock.
struct GeneratorTotals {
  std::int64_t bursts = 0;     // completed
  std::int64_t bytes = 0;      // bytes of the completed bursts
  std::int64_t latency = 0;    // from request to completion, summed over the completed bursts
  std::int64_t in_flight = 0;  // bursts in flight, summed over all cycles
};

// Generates the addresses of one direction's bursts, and tracks what is in flight.
class Generator {
 public:
  Generator(const Traffic& traffic, int outstanding, std::int64_t start)
      : traffic_(traffic), outstanding_(outstanding), start_(start) {}

  const Traffic& traffic() const { return traffic_; }
  bool can_request(std::int64_t cycle) const {
    return cycle >= start_ && static_cast<int>(requests_.size()) < outstanding_;
  }
  // Returns the next burst's address; the burst is in flight from now on.
  std::uint64_t request(std::int64_t cycle) {
    requests_.push_back(cycle);
    const std::uint64_t address = traffic_.base + static_cast<std::uint64_t>(offset_);
    offset_ += traffic_.stride_bytes;
    if (offset_ + traffic_.burst_bytes > traffic_.window_bytes) offset_ = 0;
    return address;
  }
  // Completes the oldest burst in flight.
  void complete(std::int64_t cycle) {
    ++totals_.bursts;
    totals_.bytes += traffic_.burst_bytes;
    totals_.latency += cycle - requests_.front();
    requests_.pop_front();
  }
  void count_cycle() { totals_.in_flight += static_cast<std::int64_t>(requests_.size()); }
  const GeneratorTotals& totals() const { return totals_; }

 private:
  Traffic traffic_;
  int outstanding_;
  std::int64_t start_;
  std::int64_t offset_ = 0;
  std::deque<std::int64_t> requests_;
  GeneratorTotals totals_;
};

}  // namespace fansim::benches

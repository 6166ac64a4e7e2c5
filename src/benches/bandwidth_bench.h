// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "benches/bandwidth_config.h"
#include "sim/scheduler.h"

namespace fansim::benches {

// Measures what each reader gets through one memory port. All readers run at the same time, each with a memory of its
// own, in the two clocks of the configuration.
class BandwidthBench final {
 public:
  BandwidthBench(const BandwidthConfig& config, const std::vector<BurstReaderConfig>& readers);
  ~BandwidthBench();

  // Returns the bytes per second of each reader over 20 refresh intervals, after two that fill the path.
  std::vector<double> measure();

 private:
  class Path;
  class Stopwatch;

  const BandwidthConfig config_;
  sim::Scheduler scheduler_{"scheduler"};
  sim::ClockDomain& pl_;
  sim::ClockDomain& port_;
  std::vector<std::unique_ptr<Path>> paths_;
};

}  // namespace fansim::benches

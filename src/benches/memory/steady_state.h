// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "benches/memory/path_config.h"
#include "benches/memory/traffic.h"

namespace fansim::benches {

struct Rate {
  double mb_per_s = 0;        // 10^6 bytes
  double latency_cycles = 0;  // mean from request to completion, in cycles of the ports' clock
  double in_flight = 0;       // bursts, mean
};

struct SteadyState {
  std::vector<Rate> rates;  // one per generator
  std::int64_t from = 0;    // first measured cycle of the ports' clock
  std::int64_t cycles = 0;  // number of measured cycles
  bool steady = false;      // false: the longest run ended before two windows agreed
};

// Runs a case in windows, each as long as all windows before it together, until the throughput and the latency of every
// generator agree in two successive windows. The result is that of the last window.
SteadyState find_steady_state(
    const PathConfig& config, const std::vector<Traffic>& traffic, const std::function<void()>& interrupt = [] {});

}  // namespace fansim::benches

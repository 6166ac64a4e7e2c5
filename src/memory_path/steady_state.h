// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "memory_path/path_config.h"
#include "memory_path/traffic.h"

namespace fansim::memory_path {

struct Rate {
  double mb_per_s = 0;        // 10^6 bytes
  double latency_cycles = 0;  // request to completion, mean; of the ports' clock
  double in_flight = 0;       // bursts, mean
};

struct SteadyState {
  std::vector<Rate> rates;  // of each generator
  std::int64_t from = 0;    // cycle of the ports' clock from which it is measured
  std::int64_t cycles = 0;  // over so many
  bool steady = false;      // false: the longest run ended before two windows agreed
};

// Runs a case in windows, each as long as all before it together, until every generator's throughput and latency in
// two windows that follow each other agree; the later one is the result.
SteadyState find_steady_state(
    const PathConfig& config, const std::vector<Traffic>& traffic, const std::function<void()>& interrupt = [] {});

}  // namespace fansim::memory_path

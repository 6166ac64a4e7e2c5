// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ctime>

namespace fansim::bench {

// Returns the processor time of this process over all its threads.
inline double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace fansim::bench

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace fansim::cli {

// A bar with the time left on standard error, if that is a terminal, from the second second on; gone when destroyed.
class Progress {
 public:
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(double fraction);

 private:
  using Clock = std::chrono::steady_clock;

  const bool terminal_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
  bool drawn_ = false;
};

}  // namespace fansim::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

namespace fansim::cli {

// Shows a bar and the remaining time on standard error, if that is a terminal and more than a second has passed. The
// destructor removes the bar.
class Progress {
 public:
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Shows `beside` after the remaining time.
  void show(double fraction, const std::string& beside = "");

 private:
  using Clock = std::chrono::steady_clock;

  const bool terminal_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
  bool drawn_ = false;
};

}  // namespace fansim::cli

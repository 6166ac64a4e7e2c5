// SPDX-License-Identifier: Apache-2.0
#include "cli/options/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace fansim::cli {

Progress::Progress() : terminal_(::isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  if (drawn_) std::fputs("\r\033[K", stderr);
}

void Progress::show(double fraction, const std::string& beside) {
  using Seconds = std::chrono::duration<double>;
  constexpr int kWidth = 40;
  if (!terminal_) return;
  const Clock::time_point now = Clock::now();
  const double elapsed = Seconds(now - start_).count();
  if (elapsed < 1 || now - last_ < std::chrono::milliseconds(200)) return;
  last_ = now;
  const double done = std::clamp(fraction, 0.0, 1.0);
  const auto filled = static_cast<std::size_t>(done * kWidth);
  std::string left = "?";
  if (done > 0) {
    const auto seconds = static_cast<int>(elapsed * (1 - done) / done + 0.5);
    left = fmt::format("{}:{:02}", seconds / 60, seconds % 60);
  }
  const std::string line =
      fmt::format("\r[{}{}] {:3.0f} %, {} left{}{}\033[K", std::string(filled, '#'), std::string(kWidth - filled, ' '),
                  100 * done, left, beside.empty() ? "" : "; ", beside);
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
  drawn_ = true;
}

}  // namespace fansim::cli

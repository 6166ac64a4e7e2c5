// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace fansim::platform {

// An interrupt line as the host sees it. An interrupt is pending while more have come than it has taken. A faulty line
// loses some of the interrupts that were raised, or brings them twice.
class InterruptLine {
 public:
  explicit InterruptLine(std::function<std::int64_t()> raised) : raised_(std::move(raised)) {}

  bool pending() { return come() != taken_; }
  void take() { ++taken_; }
  // Takes all interrupts that have come.
  void take_all() { taken_ = come(); }

  // Makes the nth interrupt that is raised from now on not come (-1) or come twice (1).
  void disturb(std::int64_t nth, int more, std::function<void()> happens) {
    troubles_.push_back({raised_() + nth, more, std::move(happens)});
  }

 private:
  struct Trouble {
    std::int64_t nth;
    int more;
    std::function<void()> happens;  // called once and then cleared
  };

  std::int64_t come() {
    std::int64_t come = raised_();
    const std::int64_t raised = come;
    for (Trouble& trouble : troubles_) {
      if (raised < trouble.nth) continue;
      come += trouble.more;
      if (const auto happens = std::exchange(trouble.happens, nullptr)) happens();
    }
    return come;
  }

  const std::function<std::int64_t()> raised_;
  std::vector<Trouble> troubles_;
  std::int64_t taken_ = 0;
};

}  // namespace fansim::platform

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace fansim::axi {

// A rule that was broken: its name as in docs/pins.md, and what was seen.
struct Finding {
  std::string rule;
  std::int64_t cycle = 0;
  std::string text;
};

// Collects what the rules report. If there is a handler, it gets each finding as it is made. All findings are kept.
class Findings {
 public:
  std::function<void(const Finding&)> handler;

  void add(const std::string& rule, std::int64_t cycle, const std::string& text) {
    all_.push_back({rule, cycle, text});
    if (handler) handler(all_.back());
  }
  const std::vector<Finding>& all() const { return all_; }

 private:
  std::vector<Finding> all_;
};

}  // namespace fansim::axi

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace fansim::axi {

// A rule that was broken: its name as docs/pins.md lists it, and what was seen.
struct Finding {
  std::string rule;
  std::int64_t cycle = 0;
  std::string text;
};

// Where the rules report. With a handler each finding goes to it as it is made; all are kept.
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

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "rules/read_wait.h"
#include "timing/edge.h"

namespace fansim::timing {

// When reads are outstanding, and what the oldest one then waits for: spans in the order of their edges.
class ReadWaits {
 public:
  struct Wait {
    Span span;
    rules::ReadWait why;
  };

  // Nobody asks for them: none is kept.
  void forget() { kept_ = false; }
  bool kept() const { return kept_; }

  void add(Edge from, Edge to, rules::ReadWait why) {
    if (from >= to || !kept_) return;
    if (why == rules::ReadWait::busy_same) why = rules::ReadWait::none;
    if (!waits_.empty() && waits_.back().why == why && waits_.back().span.to == from)
      waits_.back().span.to = to;
    else
      waits_.push_back({{from, to}, why});
  }

  // The last span goes on for so many edges more.
  void extend(Edge by) {
    if (kept_) waits_.back().span.to += by;
  }

  const std::vector<Wait>& all() const { return waits_; }

 private:
  bool kept_ = true;
  std::vector<Wait> waits_;
};

}  // namespace fansim::timing

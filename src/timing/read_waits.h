// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "rules/read_wait.h"
#include "timing/edge.h"

namespace fansim::timing {

// Holds when reads are outstanding, and what the oldest one then waits for: spans in the order of their edges.
class ReadWaits {
 public:
  struct Wait {
    Span span;
    rules::ReadWait why;
  };

  // Says which spans are kept: all, those in which the read waits for something, or none.
  enum class Kept : std::uint8_t { all, for_something, none };
  void keep(Kept kept) { kept_ = kept; }
  bool kept() const { return kept_ != Kept::none; }

  void add(Edge from, Edge to, rules::ReadWait why) {
    if (from >= to || !kept()) return;
    if (why == rules::ReadWait::busy_same) why = rules::ReadWait::none;
    if (why == rules::ReadWait::none && kept_ == Kept::for_something) return;
    if (!waits_.empty() && waits_.back().why == why && waits_.back().span.to == from)
      waits_.back().span.to = to;
    else
      waits_.push_back({{from, to}, why});
  }

  // Makes the last span longer by so many edges. All spans must be kept, or none.
  void extend(Edge by) {
    if (kept_ == Kept::for_something) throw std::logic_error("timing: the last wait may not have been kept");
    if (kept()) waits_.back().span.to += by;
  }

  const std::vector<Wait>& all() const { return waits_; }

 private:
  Kept kept_ = Kept::all;
  std::vector<Wait> waits_;
};

}  // namespace fansim::timing

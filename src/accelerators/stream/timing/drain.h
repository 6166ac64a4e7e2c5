// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "accelerators/stream/timing/pass.h"

namespace fansim::stream {

// The edges after a job's last pass has been issued, one mark each: who is busy.
class Drain {
 public:
  void begin(timing::Span span) {
    span_ = span;
    marks_.assign(static_cast<std::size_t>(span.to - span.from), 0);
  }

  void lines(timing::Span span) { mark(span, kFilling); }

  void pass(const PassRecord& record) {
    if (std::max(record.window.to, record.at_array_until) <= span_.from) return;
    mark(record.line, kFilling);
    mark(record.window, kFilling);
    for (const timing::Span& at_array : record.at_array) mark(at_array, kArray);
    if (record.steady_step == 1) return mark({record.steady_from, record.steady_from + record.steady_windows}, kArray);
    for (int i = 0; i < record.steady_windows; ++i) {
      const timing::Edge edge = record.steady_from + timing::Edge{i} * record.steady_step;
      mark({edge, edge + 1}, kArray);
    }
  }

  // Edges at which the array had a window, and of the others those at which lines or windows were being filled.
  timing::Edge at_array() const {
    return std::count_if(marks_.begin(), marks_.end(), [](auto m) { return m & kArray; });
  }
  timing::Edge filling() const { return std::count(marks_.begin(), marks_.end(), kFilling); }

 private:
  static constexpr std::uint8_t kFilling = 1, kArray = 2;

  void mark(timing::Span span, std::uint8_t who) {
    const timing::Edge from = std::max(span.from, span_.from), to = std::min(span.to, span_.to);
    if (from >= to) return;
    std::uint8_t* const marks = marks_.data() + (from - span_.from);
    for (timing::Edge i = 0; i < to - from; ++i) marks[i] |= who;
  }

  timing::Span span_;
  std::vector<std::uint8_t> marks_;
};

}  // namespace fansim::stream

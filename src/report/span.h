// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/units.h"

namespace fansim::report {

// Holds a constant that nobody published, its possible range, and the cycles of a run at both ends of the range.
struct SpanKey {
  std::string key;
  int lo = 0, hi = 0;
  base::Cycles at_lo = 0, at_hi = 0;
  std::string lo_text = {}, hi_text = {};  // as the configuration gives them, with their unit
};

// Holds the cycles of a run as configured, and the least and most if all those constants err to one side.
struct Span {
  base::Cycles cycles = 0, least = 0, most = 0;
  std::vector<SpanKey> keys;
};

// Holds the least and the most that a run takes if all those constants that are open err to one side.
struct Reach {
  base::Cycles least = 0, most = 0;
  std::vector<std::string> keys;
};

// Writes one line: the interval, and whose constants decide it.
std::string text(const Reach& reach, double clock_hz);
nlohmann::ordered_json reach_json(const Reach& reach);

// Writes a line with the interval, then the effect of each key by itself, the largest first.
std::string text(const Span& span, double clock_hz);
nlohmann::ordered_json span_json(const Span& span);

// Holds a published figure, the simulated one, and the range that the unpublished constants allow.
struct HeadlineSpan {
  std::string paper, quantity, unit;
  double published = 0, simulated = 0, least = 0, most = 0;
};

std::string text(const std::vector<HeadlineSpan>& spans);
std::string json(const std::vector<HeadlineSpan>& spans);

}  // namespace fansim::report

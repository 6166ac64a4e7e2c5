// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/units.h"

namespace fansim::report {

// What a constant that nobody published may be, and a run's cycles at both ends of that.
struct SpanKey {
  std::string key;
  int lo = 0, hi = 0;
  base::Cycles at_lo = 0, at_hi = 0;
};

// A run's cycles as configured, and between what they lie if all those constants err to one side.
struct Span {
  base::Cycles cycles = 0, least = 0, most = 0;
  std::vector<SpanKey> keys;
};

// A line with the interval, then what each key does by itself, the largest first.
std::string text(const Span& span, double clock_hz);
nlohmann::ordered_json span_json(const Span& span);

// A figure of a publication beside what the constants that it leaves open leave of it.
struct HeadlineSpan {
  std::string paper, quantity, unit;
  double published = 0, simulated = 0, least = 0, most = 0;
};

std::string text(const std::vector<HeadlineSpan>& spans);
std::string json(const std::vector<HeadlineSpan>& spans);

}  // namespace fansim::report

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "runs/run.h"

namespace fansim::runs {

// One uncited constant alone, the others as the configuration has them.
struct KeySpan {
  contract::KeyRange range;
  base::Cycles at_lo = 0, at_hi = 0;
};

// What the configuration's ranges leave of a run's total.
struct Span {
  base::Cycles cycles = 0;  // as configured
  base::Cycles least = 0, most = 0;
  std::vector<KeySpan> keys;
};

// The fast engine's time, each key at both its ends, then all at the end that took less, and all at the other: 2 n + 3
// runs. Keys that an override names are known and stay. UserError if the configuration has no range, or an end of one
// does not fit.
Span span(const Request& request, const std::function<void(double fraction)>& progress);

}  // namespace fansim::runs

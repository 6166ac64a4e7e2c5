// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runs/run.h"

namespace fansim::runs {

// Holds the effect of one uncited constant alone, with the others as configured.
struct KeySpan {
  contract::KeyRange range;
  base::Cycles at_lo = 0, at_hi = 0;
};

// Holds the range of a run's total that the configuration's ranges allow.
struct Span {
  base::Cycles cycles = 0;  // as configured
  base::Cycles least = 0, most = 0;
  std::vector<KeySpan> keys;
};

// Holds what all of a configuration's ranges together leave of a run's total.
struct Reach {
  base::Cycles least = 0, most = 0;
  std::vector<std::string> keys;  // those whose value is open
};

// Runs the fast engine twice at once: with every key at the end that takes fewer cycles, and with every key at the
// other. That is the low end of what is a cost; for any other key a run with its high end alone tells, beside the
// cycles as configured. If no key is open nothing runs. The result is empty if the machine has faults, or if it cannot
// run the network at an end.
std::optional<Reach> reach(const Request& request, base::Cycles configured);

// Runs the fast engine with each key at both its ends, then with all keys at the ends that took less time, and with all
// at the others: 2 n + 3 runs. Keys that an override sets count as known and keep their value. Throws UserError if the
// configuration has no range, or if an end of one does not fit.
Span span(const Request& request, const std::function<void(double fraction)>& progress);

}  // namespace fansim::runs

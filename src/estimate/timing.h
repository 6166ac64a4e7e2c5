// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "estimate/estimate.h"

namespace fansim::estimate {

// Says whether the design reaches its clock. An estimate has a spread, so a clock within it can be told neither way.
enum class TimingVerdict { fits, cannot_tell, does_not_fit };
const char* name(TimingVerdict verdict);   // as files have it: "cannot_tell"
const char* words(TimingVerdict verdict);  // as tables have it: "cannot tell"

// Sets the clock beside the estimated Fmax and its spread.
struct Timing {
  double clock_hz = 0;
  double fmax_hz = 0, least_hz = 0, most_hz = 0;
  double uncertainty = 0;  // relative, of a path that limits; 0 if a primitive does

  TimingVerdict verdict() const;
  bool missed() const { return verdict() == TimingVerdict::does_not_fit; }
  // Returns the verdict as a clause with all figures: "clock 250 MHz above Fmax 190 MHz +-15 % (161.5 to 218.5 MHz)".
  std::string text() const;
};

Timing timing(double clock_hz, const Fmax& fmax);

// Lists what the design exceeds: resources, and its Fmax unless slack is allowed.
std::vector<std::string> misfits(const Estimate& cost, const Timing& timing, bool allow_slack);

}  // namespace fansim::estimate

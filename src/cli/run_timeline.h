// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/rational.h"
#include "sim/timeline.h"

namespace fansim::cli {

// Writes Chrome's trace event format, which ui.perfetto.dev opens: a thread for each track, times in microseconds of a
// clock, bytes as GB/s. Where there is nothing to show ("none", "free", "finished") a thread has a gap. Every time is a
// whole number of nanoseconds, and no span ends behind the begin of the next one however a viewer adds and rounds.
std::string timeline_json(const sim::Timeline& timeline, const std::string& title, const base::Rational& clock_mhz);

}  // namespace fansim::cli

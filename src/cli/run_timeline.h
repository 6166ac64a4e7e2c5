// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/rational.h"
#include "sim/timeline.h"

namespace fansim::cli {

// In Chrome's trace event format, which ui.perfetto.dev opens: a thread for each track, times in microseconds of a
// clock, bytes as GB/s. What is at rest ("idle", "none", "free", "finished") is no event.
std::string timeline_json(const sim::Timeline& timeline, const std::string& title, const base::Rational& clock_mhz);

}  // namespace fansim::cli

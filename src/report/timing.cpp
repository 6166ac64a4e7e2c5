// SPDX-License-Identifier: Apache-2.0
#include "report/timing.h"

namespace fansim::report {

nlohmann::ordered_json timing_json(const estimate::Timing& timing, bool slack_allowed) {
  return {{"verdict", name(timing.verdict())}, {"clock_hz", timing.clock_hz},    {"fmax_hz", timing.fmax_hz},
          {"fmax_least_hz", timing.least_hz},  {"fmax_most_hz", timing.most_hz}, {"slack_allowed", slack_allowed}};
}

}  // namespace fansim::report

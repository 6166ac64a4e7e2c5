// SPDX-License-Identifier: Apache-2.0
#include "report/run_report.h"

namespace fansim::report {

contract::LayerResult total(const RunReport& report) { return contract::total(report.layers, report.account); }

base::Cycles host_cycles(const RunReport& report) {
  base::Cycles cycles = 0;
  for (const contract::LayerResult& layer : report.layers)
    if (layer.on_host) cycles += layer.cycles;
  return cycles;
}

}  // namespace fansim::report

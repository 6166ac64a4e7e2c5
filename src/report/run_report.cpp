// SPDX-License-Identifier: Apache-2.0
#include "report/run_report.h"

namespace fansim::report {

contract::LayerResult total(const RunReport& report) { return contract::total(report.layers, report.account); }

}  // namespace fansim::report

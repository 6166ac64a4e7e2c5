// SPDX-License-Identifier: Apache-2.0
#include "report/run_report.h"

namespace fansim::report {

arch::LayerResult total(const RunReport& report) {
  arch::LayerResult sum;
  for (const arch::LayerResult& layer : report.layers) {
    sum.cycles += layer.cycles;
    sum.macs += layer.macs;
    sum.bytes_read += layer.bytes_read;
    sum.bytes_written += layer.bytes_written;
    sum.accumulator_overflows += layer.accumulator_overflows;
    for (std::size_t b = 0; b < sum.buckets.size(); ++b) sum.buckets[b] += layer.buckets[b];
  }
  return sum;
}

Rates rates(const arch::LayerResult& layer, const RunReport& report) {
  Rates r;
  r.ops = 2 * layer.macs;
  if (layer.cycles == 0) return r;
  r.seconds = static_cast<double>(layer.cycles) / report.clock_hz;
  r.gops = static_cast<double>(r.ops) / r.seconds / 1e9;
  r.mac_utilisation =
      static_cast<double>(layer.macs) / static_cast<double>(layer.cycles) / static_cast<double>(report.macs_per_cycle);
  r.read_gb_per_s = static_cast<double>(layer.bytes_read) / r.seconds / 1e9;
  r.write_gb_per_s = static_cast<double>(layer.bytes_written) / r.seconds / 1e9;
  return r;
}

}  // namespace fansim::report

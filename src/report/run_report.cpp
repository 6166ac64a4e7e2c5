// SPDX-License-Identifier: Apache-2.0
#include "report/run_report.h"

namespace fansim::report {

contract::LayerResult total(const RunReport& report) { return contract::total(report.layers, report.account); }

std::string timing_text(const RunReport& report) {
  const estimate::Timing& timing = report.timing;
  if (timing.missed()) return report.slack_allowed ? "slack allowed: " + timing.text() : "";
  return timing.verdict() == estimate::TimingVerdict::cannot_tell ? timing.text() : "";
}

base::Cycles host_cycles(const RunReport& report) {
  base::Cycles cycles = 0;
  for (const contract::LayerResult& layer : report.layers)
    if (layer.on_host) cycles += layer.cycles;
  return cycles;
}

double frames_per_s(const RunReport& report) {
  return report.design.pictures * report.design.clock_hz / static_cast<double>(total(report).cycles);
}

double energy_mj(const RunReport& report) { return report.power_w / frames_per_s(report) * 1e3; }

}  // namespace fansim::report

// SPDX-License-Identifier: Apache-2.0
#include "sim/clock_domain.h"

#include <algorithm>

namespace fansim::sim {

void ClockDomain::alarm(const Alarm& alarm) {
  alarms_.push_back(alarm);
  next_alarm_ = std::min(next_alarm_, alarm.edge);
}

bool ClockDomain::waits() const {
  return std::any_of(alarms_.begin(), alarms_.end(), [](const Alarm& alarm) { return alarm.awaited; });
}

void ClockDomain::ring_due() {
  next_alarm_ = kNever;
  const auto due = [this](const Alarm& alarm) {
    if (alarm.edge <= edge) {
      alarm.blocks.raise();
      return true;
    }
    next_alarm_ = std::min(next_alarm_, alarm.edge);
    return false;
  };
  alarms_.erase(std::remove_if(alarms_.begin(), alarms_.end(), due), alarms_.end());
}

sc_core::sc_signal<bool>& ClockDomain::clk() {
  if (!clk_) clk_ = std::make_unique<sc_core::sc_signal<bool>>((name + "_clk").c_str());
  return *clk_;
}

}  // namespace fansim::sim

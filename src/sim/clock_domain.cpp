// SPDX-License-Identifier: Apache-2.0
#include "sim/clock_domain.h"

namespace fansim::sim {

sc_core::sc_signal<bool>& ClockDomain::clk() {
  if (!clk_) clk_ = std::make_unique<sc_core::sc_signal<bool>>((name + "_clk").c_str());
  return *clk_;
}

}  // namespace fansim::sim

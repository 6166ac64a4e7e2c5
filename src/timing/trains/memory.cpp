// SPDX-License-Identifier: Apache-2.0
#include "timing/trains/memory.h"

#include "rules/pace.h"
#include "timing/trains/banked_memory.h"

namespace fansim::timing::trains {

std::unique_ptr<Memory> make_memory(const contract::DdrConfig& config, int beat_bytes, const base::Rational& port_mhz,
                                    int ports) {
  const bool whole = rules::pace_of(config, beat_bytes * 8).whole();
  if (config.fidelity == contract::DdrFidelity::banked && whole)
    return std::make_unique<BankedMemory>(config, beat_bytes, port_mhz, ports);
  return timing::make_memory(config, beat_bytes, port_mhz, ports);
}

}  // namespace fansim::timing::trains

// SPDX-License-Identifier: Apache-2.0
#include "timing/memory.h"

#include "timing/banked_memory.h"
#include "timing/fixed_memory.h"

namespace fansim::timing {

std::unique_ptr<Memory> make_memory(const contract::DdrConfig& config, int beat_bytes, const base::Rational& port_mhz,
                                    int ports) {
  if (config.fidelity == contract::DdrFidelity::banked)
    return std::make_unique<BankedMemory>(config, beat_bytes, port_mhz, ports);
  return std::make_unique<FixedMemory>(config, beat_bytes, ports);
}

}  // namespace fansim::timing

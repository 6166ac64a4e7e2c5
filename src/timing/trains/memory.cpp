// SPDX-License-Identifier: Apache-2.0
#include "timing/trains/memory.h"

namespace fansim::timing::trains {

std::unique_ptr<Memory> make_memory(const contract::DdrConfig& config, int beat_bytes, const base::Rational& port_mhz,
                                    int ports) {
  return timing::make_memory(config, beat_bytes, port_mhz, ports);
}

}  // namespace fansim::timing::trains

// SPDX-License-Identifier: Apache-2.0
#include "rules/pace.h"

#include <numeric>

namespace fansim::rules {

Pace pace_of(const contract::DdrConfig& ddr, int port_bits) {
  Pace pace{ddr.share_parts(), contract::DdrConfig::kShareParts, ddr.shared()};
  const bool path = ddr.fidelity != contract::DdrFidelity::banked;
  if (path && ddr.data_bits > 0 && ddr.data_bits < port_bits) {
    pace.beats *= ddr.data_bits;
    pace.edges *= port_bits;
  }
  const std::int64_t common = std::gcd(pace.beats, pace.edges);
  pace.beats /= common;
  pace.edges /= common;
  return pace;
}

}  // namespace fansim::rules

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "contract/interconnect.h"

namespace fansim::rules {

// Returns an arbiter's decision at an edge; -1: none. Bit p of `requests` is set if the oldest request of port p
// arrived before that edge. Round robin takes the next port behind `last`, the port granted before (-1 at first).
// Priority takes the lowest port.
inline int arbitrate(contract::Arbitration policy, std::uint32_t requests, int ports, int last) {
  const int first = policy == contract::Arbitration::round_robin ? last + 1 : 0;
  for (int i = 0; i < ports; ++i) {
    const int port = (first + i) % ports;
    if (requests >> port & 1) return port;
  }
  return -1;
}

}  // namespace fansim::rules

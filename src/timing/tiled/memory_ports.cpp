// SPDX-License-Identifier: Apache-2.0
#include "timing/tiled/memory_ports.h"

#include "timing/tiled/banked_ports.h"
#include "timing/tiled/fixed_ports.h"

namespace fansim::timing {

// What is no wait of the accounting leaves no span.
void MemoryPorts::wait(int port, Edge from, Edge to, rules::ReadWait why) {
  if (from >= to || why == rules::ReadWait::none || why == rules::ReadWait::busy_same) return;
  std::vector<PortWait>& waits = waits_[port];
  if (!waits.empty() && waits.back().why == why && waits.back().span.to == from)
    waits.back().span.to = to;
  else
    waits.push_back({{from, to}, why});
}

std::unique_ptr<MemoryPorts> make_memory_ports(const arch::TiledConfig& config) {
  if (config.ddr.fidelity == arch::DdrFidelity::banked) return std::make_unique<BankedPorts>(config);
  return std::make_unique<FixedPorts>(config.ddr);
}

}  // namespace fansim::timing

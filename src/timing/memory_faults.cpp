// SPDX-License-Identifier: Apache-2.0
#include "timing/memory_faults.h"

#include <fmt/format.h>

#include "base/error.h"
#include "rules/fault_draw.h"

namespace fansim::timing {

MemoryFaults::MemoryFaults(const std::vector<contract::Fault>& faults, std::uint64_t seed, std::size_t bytes)
    : faults_(faults), seed_(seed), bytes_(bytes) {
  for (const contract::Fault& fault : faults) {
    const std::string misfit = rules::misfit(fault, bytes, 8);
    if (!misfit.empty()) throw base::UserError(fmt::format("fault '{}': {}", fault.text(), misfit));
  }
}

void MemoryFaults::before(const std::string& layer, base::Cycles cycle, std::uint8_t* memory) {
  for (std::size_t i = 0; i < faults_.size(); ++i) {
    const contract::Fault& fault = faults_[i];
    const bool now = fault.layer.empty() ? !begun_ : fault.layer == layer;
    if (!now) continue;
    base::Random random = rules::draws_of(seed_, static_cast<int>(i));
    const rules::HitBit hit = rules::hit_bit(fault, random, bytes_, 8);
    memory[hit.word] ^= static_cast<std::uint8_t>(1 << hit.bit);
    log_.events.push_back({fault.layer.empty() ? 0 : cycle, fault.layer, contract::FaultEvent::Source::fault,
                           rules::happened(fault, hit)});
  }
  begun_ = true;
}

}  // namespace fansim::timing

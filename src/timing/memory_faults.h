// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/units.h"
#include "contract/faults.h"

namespace fansim::timing {

// Makes the faults that hit the memory's values between layers, the only ones that a fast engine knows.
class MemoryFaults {
 public:
  // Throws UserError at a fault that does not fit a memory of so many bytes.
  MemoryFaults(const std::vector<contract::Fault>& faults, std::uint64_t seed, std::size_t bytes);

  // Is called before a layer's first step, at `cycle`. Faults at the run's begin happen before the first layer.
  void before(const std::string& layer, base::Cycles cycle, std::uint8_t* memory);
  const contract::FaultLog& log() const { return log_; }

 private:
  const std::vector<contract::Fault> faults_;
  const std::uint64_t seed_;
  const std::size_t bytes_;
  bool begun_ = false;
  contract::FaultLog log_;
};

}  // namespace fansim::timing

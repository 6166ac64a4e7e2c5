// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "arch/array.h"
#include "compile/fusion.h"
#include "compile/place.h"

namespace fansim::compile {

// What the streaming accelerator fuses, and how much border each tensor needs in memory.
class Plan : public Fusion {
 public:
  Plan(const network::Network& network, const arch::ArrayConfig& array, const std::vector<int>& wanted)
      : Fusion(network, wanted, false), array_(array) {}

  Place place(int producer) const;

 private:
  const arch::ArrayConfig& array_;
};

}  // namespace fansim::compile

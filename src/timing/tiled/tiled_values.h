// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "arch/program.h"
#include "arch/tiled_config.h"

namespace fansim::timing {

// What a program computes on the tiled accelerator: a layer's outputs at once, every sum in the engine's order. Timing
// plays no part.
class TiledValues {
 public:
  // Reads and writes `memory`, which must stay where it is.
  TiledValues(const arch::TiledConfig& config, std::vector<std::uint8_t>& memory)
      : config_(config), memory_(memory.data()) {}

  void layer(const arch::LayerPlan& plan) const;

 private:
  void run(const arch::TiledJob& job, const arch::CodeBook& book) const;

  const arch::TiledConfig& config_;
  std::uint8_t* const memory_;
};

}  // namespace fansim::timing

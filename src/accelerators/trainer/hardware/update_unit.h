// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/trainer/hardware/phase_unit.h"

namespace fansim::trainer {

// Computes theta - eta * gradient for a block's weights, one per cycle, with a multiplier and a subtractor.
class UpdateUnit final : public PhaseUnit {
 public:
  UpdateUnit(const sc_core::sc_module_name& name, const Config& config, Chip& chip) : PhaseUnit(name, config, chip) {}

 private:
  std::int64_t begin() override;
  void work(std::int64_t at) override;

  const WeightedConfig* block_ = nullptr;
  std::uint64_t learning_rate_ = 0;
};

}  // namespace fansim::trainer

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/trainer/hardware/phase_unit.h"

namespace fansim::trainer {

// Finds the largest value of each window, the first if there are several, and remembers which it was. On the way back
// the gradient goes to that value. The others, and values that no window contains, get zero.
class PoolingUnit final : public PhaseUnit {
 public:
  PoolingUnit(const sc_core::sc_module_name& name, const Config& config, Chip& chip) : PhaseUnit(name, config, chip) {}

 private:
  std::int64_t begin() override;
  void work(std::int64_t at) override;
  void compare(std::int64_t at);
  void send_back(std::int64_t at);
  // Returns whether ReLU made the pooled values. If it cut all values of a window, the largest is zero.
  bool layer_below_cuts() const { return phase_.phase.layer > 0 && phase_.job->layer(phase_.phase.layer - 1).relu; }

  std::int64_t slots_ = 0;
  std::uint64_t best_ = 0;
  std::int64_t choice_ = 0;
};

}  // namespace fansim::trainer

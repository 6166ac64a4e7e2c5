// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "accelerators/trainer/config/softmax.h"
#include "accelerators/trainer/hardware/phase_unit.h"

namespace fansim::trainer {

// Computes e^(x - largest) divided by the sum of these, with one exponential, one adder and one divider, pass after
// pass. In training a last pass leaves the gradient of the cross entropy, which is the probabilities with one
// subtracted at the label.
class SoftmaxUnit final : public PhaseUnit {
 public:
  SoftmaxUnit(const sc_core::sc_module_name& name, const Config& config, Chip& chip)
      : PhaseUnit(name, config, chip), functions_(config) {}

 private:
  std::int64_t begin() override;
  void work(std::int64_t at) override;
  void element(SoftmaxPass pass, std::size_t i, std::int64_t at);

  const SoftmaxFunctions functions_;
  std::vector<std::uint64_t> words_;  // logits, exponentials, probabilities
  std::uint64_t largest_ = 0, sum_ = 0;
  std::size_t pass_ = 0;
  std::int64_t pass_from_ = 0;
  std::vector<SoftmaxTiming> passes_;
};

}  // namespace fansim::trainer

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "accelerators/trainer/hardware/phase_unit.h"

namespace fansim::trainer {

// Does one direction of a block, with converters, a multiplier and an adder. The sums of a group take turns in the
// adder, so that each waits through the adder's three stages. ReLU cuts values, and the gradient of a value that was
// cut is zero.
class ProductUnit final : public PhaseUnit {
 public:
  ProductUnit(const sc_core::sc_module_name& name, const Config& config, Chip& chip) : PhaseUnit(name, config, chip) {}

 private:
  std::int64_t begin() override;
  void work(std::int64_t at) override;
  void take(std::int64_t at);
  void write(const Result& result);

  Products products_{};
  std::int64_t slots_ = 0, sums_count_ = 0, terms_ = 0;
  std::int64_t first_ = 0, term_ = 0, lane_ = 0, lanes_ = 0, turns_ = 0;  // the group's first sum, its term, its turn
  std::vector<std::uint64_t> sums_;

  // These belong to the current phase.
  WordMemory *a_ = nullptr, *b_ = nullptr;
  std::int64_t a_base_ = 0, b_base_ = 0, to_base_ = 0;
  arith::FloatFormat a_format_, b_format_, out_;
  const WeightedConfig* block_ = nullptr;

  void begin_group();

  sim::Counter terms_taken_{*this, "terms", "products", "products that were summed"};
};

}  // namespace fansim::trainer

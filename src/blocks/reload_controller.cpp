// SPDX-License-Identifier: Apache-2.0
#include "blocks/reload_controller.h"

namespace fansim::blocks {

ReloadController::ReloadController(const sc_core::sc_module_name& name, const contract::LutKernelConfig& config)
    : sim::Module(name),
      inputs_(config.format.inputs),
      product_bits_(arith::LutKernel(config.format).product_bits()),
      accumulators_(static_cast<std::size_t>(inputs_)) {}

void ReloadController::step() {
  if (left_ == 0 && coefficients.empty()) {
    sleep();
    return;
  }
  if (left_ > 0) {
    if (!reload.can_push()) {
      ++stalls_;
      return;
    }
    push_beat();
  }
  if (left_ > 0 || !coefficients.can_pop()) return;
  const Coefficients& next = coefficients.pop();
  for (std::size_t i = 0; i < accumulators_.size(); ++i) accumulators_[i].coefficient = next.values[i];
  left_ = arith::kReloadCycles;
  begin_half();
  ++sets_;
}

void ReloadController::begin_half() {
  for (Accumulators& a : accumulators_) {
    a.lower = arith::kTableEntries * a.coefficient;
    a.top = 0;
  }
}

void ReloadController::push_beat() {
  const int step = (arith::kReloadCycles - left_) % arith::kTableEntries;
  const bool even = left_ <= arith::kTableEntries;
  ReloadBeat& beat = reload.push();
  for (std::size_t i = 0; i < accumulators_.size(); ++i) {
    Accumulators& a = accumulators_[i];
    if (step == arith::kTableEntries / 2) a.top = arith::kTableEntries / 2 * a.coefficient;
    a.lower -= a.coefficient;
    a.top -= a.coefficient;
    beat.lower[i] = word(a.lower, even);
    beat.top[i] = word(a.top, even);
  }
  ++beats_;
  --left_;
  if (left_ == arith::kTableEntries) begin_half();
}

std::uint32_t ReloadController::word(int product, bool even) const {
  const std::uint32_t bits = (static_cast<std::uint32_t>(product) ^ std::uint32_t{1} << (product_bits_ - 1)) &
                             ((std::uint32_t{1} << product_bits_) - 1);
  return even ? bits << 1 : bits;
}

}  // namespace fansim::blocks

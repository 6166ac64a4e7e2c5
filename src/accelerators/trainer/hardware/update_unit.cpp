// SPDX-License-Identifier: Apache-2.0
#include "accelerators/trainer/hardware/update_unit.h"

namespace fansim::trainer {

std::int64_t UpdateUnit::begin() {
  block_ = &block_of(config_, *phase_.job, phase_.phase.layer);
  learning_rate_ = operand(arithmetic(block_->weights), phase_.job->learning_rate, arith::kSingle);
  return layer().weights() + kUpdateLatency;
}

void UpdateUnit::work(std::int64_t at) {
  if (const Result* result = left(at)) chip_.weights.write(now(), weights() + result->at, result->word);
  if (at > layer().weights()) return;
  const arith::FloatArithmetic unit = arithmetic(block_->weights);
  const std::uint64_t theta = chip_.weights.read(now(), weights() + at - 1);
  const std::uint64_t delta = operand(unit, chip_.deltas.read(now(), weights() + at - 1), block_->backward);
  leave(at + kUpdateLatency, at - 1, unit.subtract(theta, unit.multiply(learning_rate_, delta, events_), events_));
}

}  // namespace fansim::trainer

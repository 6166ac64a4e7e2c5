// SPDX-License-Identifier: Apache-2.0
#include "accelerators/trainer/hardware/product_unit.h"

#include <algorithm>

namespace fansim::trainer {

std::int64_t ProductUnit::begin() {
  const PhaseKind kind = phase_.phase.kind;
  products_ = {kind, layer()};
  block_ = &block_of(config_, *phase_.job, phase_.phase.layer);
  out_ = kind == PhaseKind::forward ? block_->forward : block_->backward;
  const bool of_gradient = kind == PhaseKind::input_gradient;
  a_ = of_gradient ? &chip_.gradients : &chip_.activations;
  a_base_ = tensor(of_gradient ? 1 : 0);
  a_format_ = of_gradient ? gradient(1) : value(0);
  const bool of_weights = kind != PhaseKind::weight_gradient;
  b_ = of_weights ? &chip_.weights : &chip_.gradients;
  b_base_ = of_weights ? weights() : tensor(1);
  b_format_ = of_weights ? block_->weights : gradient(1);
  to_base_ = kind == PhaseKind::forward ? tensor(1) : kind == PhaseKind::input_gradient ? tensor(0) : weights();
  slots_ = product_slots(products_, block_->accumulators);
  sums_count_ = products_.sums();
  terms_ = products_.terms();
  first_ = 0;
  begin_group();
  return slots_ + kMacLatency;
}

void ProductUnit::begin_group() {
  lanes_ = std::min<std::int64_t>(block_->accumulators, sums_count_ - first_);
  turns_ = std::max<std::int64_t>(lanes_, arith::FloatArithmetic::kAddLatency);
  term_ = lane_ = 0;
  sums_.assign(static_cast<std::size_t>(lanes_), 0);
}

void ProductUnit::work(std::int64_t at) {
  if (const Result* result = left(at)) write(*result);
  if (at > slots_) return;
  if (lane_ < lanes_) take(at);
  if (++lane_ < turns_) return;
  lane_ = 0;
  if (++term_ < terms_) return;
  first_ += lanes_;
  if (first_ < sums_count_) begin_group();
}

void ProductUnit::take(std::int64_t at) {
  const arith::FloatArithmetic unit = arithmetic(out_), adder = arithmetic(block_->sum);
  const Products::Factors factors = products_.factors(first_ + lane_, term_);
  const std::uint64_t a = factors.a < 0 ? 0 : operand(unit, a_->read(now(), a_base_ + factors.a), a_format_);
  const std::uint64_t b = operand(unit, b_->read(now(), b_base_ + factors.b), b_format_);
  std::uint64_t& sum = sums_[static_cast<std::size_t>(lane_)];
  sum = adder.add(sum, adder.convert(unit.multiply(a, b, events_), out_, events_), events_);
  ++terms_taken_;
  if (term_ + 1 < terms_) return;
  std::uint64_t word = unit.convert(sum, block_->sum, events_);
  if (products_.kind == PhaseKind::forward && layer().relu && (word & out_.sign_mask()) != 0) word = 0;
  leave(at + kMacLatency, products_.result(first_ + lane_), word);
}

void ProductUnit::write(const Result& result) {
  switch (products_.kind) {
    case PhaseKind::forward:
      return chip_.activations.write(now(), to_base_ + result.at, result.word);
    case PhaseKind::input_gradient:
      return chip_.gradients.write(now(), to_base_ + result.at, cut(0, result.at) ? 0 : result.word);
    default:
      return chip_.deltas.write(now(), to_base_ + result.at, result.word);
  }
}

}  // namespace fansim::trainer

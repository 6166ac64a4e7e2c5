// SPDX-License-Identifier: Apache-2.0
#include "accelerators/trainer/estimate/operators.h"

#include "accelerators/trainer/config/phases.h"

namespace fansim::trainer {
namespace {

using estimate::FloatOperator;

constexpr int kSeedBits = 6;  // as in the reciprocal dividers that were synthesised

std::int64_t products(const Phase& phase, const Job& job) {
  const Products products{phase.kind, job.layer(phase.layer)};
  return products.sums() * products.terms();
}

// Returns the number of operations of one unit, in all its phases.
std::int64_t uses(const Job& job, UnitIndex unit) {
  std::int64_t sum = 0;
  for (const Phase& phase : phases_of(job)) {
    if (phase.unit != unit) continue;
    sum += phase.kind == PhaseKind::update ? job.layer(phase.layer).weights() : products(phase, job);
  }
  return sum;
}

// Adds the multiplier and the adder of each direction and of the update.
void add_weighted(std::vector<OperatorWork>& all, const Job& job, const WeightedConfig& block, UnitIndex forward) {
  const auto behind = [forward](int by) { return static_cast<UnitIndex>(static_cast<int>(forward) + by); };
  const auto pair = [&](UnitIndex unit, const arith::FloatFormat& factors, const arith::FloatFormat& terms) {
    const std::int64_t operations = uses(job, unit);
    all.push_back({FloatOperator::multiplier, factors, 0, operations});
    all.push_back({FloatOperator::adder, terms, 0, operations});
  };
  pair(forward, block.forward, block.sum);
  pair(behind(1), block.backward, block.sum);
  pair(behind(2), block.weights, block.weights);
}

}  // namespace

std::vector<OperatorWork> operator_work(const Config& config, const Job& job) {
  std::vector<OperatorWork> all;
  add_weighted(all, job, config.convolution, UnitIndex::convolution_forward);
  add_weighted(all, job, config.fc1, UnitIndex::fc1_forward);
  add_weighted(all, job, config.fc2, UnitIndex::fc2_forward);
  std::int64_t values = 0;
  for (const Phase& phase : phases_of(job))
    if (phase.kind == PhaseKind::softmax) values += job.layer(phase.layer).out_words();
  // The adder subtracts the largest value, sums up and, in training, subtracts the label.
  const std::int64_t sums = (job.command == Command::train ? 3 : 2) * values;
  const SoftmaxConfig& softmax = config.softmax;
  all.push_back({FloatOperator::adder, softmax.format, 0, sums});
  if (softmax.divider == Divider::array)
    all.push_back({FloatOperator::array_divider, softmax.format, 0, values});
  else
    all.push_back({FloatOperator::reciprocal_divider, softmax.format,
                   softmax.reciprocal.seed_bits == kSeedBits ? softmax.reciprocal.iterations : -1, values});
  return all;
}

std::optional<double> switched(const std::vector<OperatorWork>& operators, std::int64_t cycles) {
  double sum = 0;
  for (const OperatorWork& work : operators) {
    const estimate::FloatGates* gates =
        estimate::find_float_gates(work.which, work.format.exponent_bits, work.format.mantissa_bits, work.iterations);
    if (!gates) return std::nullopt;
    sum += static_cast<double>(work.operations) * gates->toggles + static_cast<double>(cycles) * gates->clocked();
  }
  return sum;
}

}  // namespace fansim::trainer

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "accelerators/trainer/config/config.h"
#include "accelerators/trainer/config/job.h"
#include "estimate/float_technology.h"

namespace fansim::trainer {

// One floating-point operator of the machine, and how often a job uses it.
struct OperatorWork {
  estimate::FloatOperator which;
  arith::FloatFormat format;
  int iterations = 0;  // of a reciprocal divider
  std::int64_t operations = 0;
};

// Every adder, multiplier and divider. Converters, comparisons and the exponential are none of these.
std::vector<OperatorWork> operator_work(const Config& config, const Job& job);

// Gate equivalents that switch in a job of so many cycles: those of its operations, and what the clock switches in all
// operators' registers. None: the gates of one of them were not counted.
std::optional<double> switched(const std::vector<OperatorWork>& operators, std::int64_t cycles);

}  // namespace fansim::trainer

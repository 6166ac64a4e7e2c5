// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "accelerators/trainer/config/config.h"
#include "accelerators/trainer/config/job.h"
#include "estimate/float_technology.h"

namespace fansim::trainer {

// Holds one floating-point operator of the machine, and how often a job uses it.
struct OperatorWork {
  estimate::FloatOperator which;
  arith::FloatFormat format;
  int iterations = 0;  // of a reciprocal divider
  std::int64_t operations = 0;
};

// Returns every adder, multiplier and divider. It does not count converters, comparisons and the exponential.
std::vector<OperatorWork> operator_work(const Config& config, const Job& job);

// Returns the gate equivalents that switch in a job of `cycles` cycles: those of its operations, and those that the
// clock switches in all operators' registers. None: the gates of one operator were not counted.
std::optional<double> switched(const std::vector<OperatorWork>& operators, std::int64_t cycles);

}  // namespace fansim::trainer

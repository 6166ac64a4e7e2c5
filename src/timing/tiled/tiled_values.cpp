// SPDX-License-Identifier: Apache-2.0
#include "timing/tiled/tiled_values.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "timing/tiled/job_values.h"

namespace fansim::timing {

void TiledValues::layer(const arch::LayerPlan& plan) const {
  for (const arch::TiledJob& job : plan.jobs) run(job, plan.codes);
}

void TiledValues::run(const arch::TiledJob& job, const arch::CodeBook& book) const {
  if (config_.float_sum()) return JobValues<float>(config_, job, book, memory_).run();
  if (fits_32_bits(job, book)) return JobValues<std::int32_t>(config_, job, book, memory_).run();
  JobValues<std::int64_t>(config_, job, book, memory_).run();
}

// Sums wrap at 32 bits anyway, or no sum of this layer is larger.
bool TiledValues::fits_32_bits(const arch::TiledJob& job, const arch::CodeBook& book) const {
  if (config_.quantiser.accumulator_bits <= 32) return true;
  std::int64_t weight = 0;
  for (const std::int16_t integer : book.integers) weight = std::max<std::int64_t>(weight, std::abs(int{integer}));
  const std::int64_t input = std::int64_t{1} << (config_.quantisation.activation_bits - 1 + job.in_unsigned);
  const std::int64_t fan_in = std::int64_t{job.instruction.in_channels} * job.steps();
  return fan_in * input * weight <= std::numeric_limits<std::int32_t>::max();
}

}  // namespace fansim::timing

// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/values/tiled_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "accelerators/tiled/values/job_values.h"

namespace fansim::tiled {

arith::Saturation TiledValues::layer(const contract::LayerPlan& plan,
                                     const contract::ProgressCallback& progress) const {
  const LayerJobs& layer = layer_jobs_of(plan);
  arith::Saturation all;
  for (const TiledJob& job : layer.jobs) all += run(job, layer, progress);
  return all;
}

arith::Saturation TiledValues::run(const TiledJob& job, const LayerJobs& layer,
                                   const contract::ProgressCallback& progress) const {
  const CodeBook& book = layer.codes;
  const std::size_t codes = config_.float_sum() ? book.operands.size() : book.integers.size();
  if (codes < std::size_t{1} << config_.quantisation.weight_bits)
    throw std::logic_error(fmt::format("values: {} weights for codes of {} bits, job {}", codes,
                                       config_.quantisation.weight_bits, print(job.instruction)));
  if (config_.float_sum()) return JobValues<FloatArithmetic>(config_, job, layer, memory_).run(progress);
  const int input_bits = config_.quantisation.activation_bits, sign = job.in_unsigned == 0 ? 1 : 0;
  const auto [low, high] = std::minmax_element(book.integers.begin(), book.integers.end());
  const std::int64_t weight = std::max(-int{*low}, int{*high}), input = std::int64_t{1} << (input_bits - sign);
  const std::int64_t fan_in = std::int64_t{job.instruction.in_channels} * job.steps();
  // 32 bits suffice if sums wrap at 32 bits anyway, or if no sum of this layer is larger.
  const bool narrow =
      config_.quantiser.accumulator_bits <= 32 || fan_in * input * weight <= std::numeric_limits<std::int32_t>::max();
  if (!narrow) return JobValues<WideArithmetic>(config_, job, layer, memory_).run(progress);
  if (input_bits <= 8 && *low >= -128 && *high <= 127)
    return JobValues<ByteArithmetic>(config_, job, layer, memory_).run(progress);
  return JobValues<WordArithmetic>(config_, job, layer, memory_).run(progress);
}

}  // namespace fansim::tiled

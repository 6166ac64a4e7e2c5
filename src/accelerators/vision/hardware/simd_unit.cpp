// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/hardware/simd_unit.h"

#include <algorithm>

namespace fansim::vision {

SimdUnit::SimdUnit(const sc_core::sc_module_name& name, const Config& config)
    : Module(name), samples_(config.pixels.samples), pipeline_(config.simd.latency()) {}

void SimdUnit::step() {
  if (const PixelBeat* beat = pipeline_.leaving(now())) {
    if (!out.can_push()) violation("a result was refused");
    out.push(*beat);
    pipeline_.leave();
    ++beats_;
  }
  if (start.can_pop()) job_ = start.pop().job;
  if (in.can_pop()) {
    const PixelBeat& beat = in.pop();
    PixelBeat& results = pipeline_.enter(now());
    for (int lane = 0; lane < samples_; ++lane) {
      const auto i = static_cast<std::size_t>(lane);
      results.samples[i] = result(beat.samples[i], beat.second[i]);
    }
  } else if (in.empty() && start.empty() && pipeline_.empty()) {
    sleep();
  }
}

std::int32_t SimdUnit::result(std::int32_t a, std::int32_t b) const {
  const Job& job = *job_;
  const std::int64_t product = std::int64_t{a} * b;
  std::int64_t value = 0;
  switch (job.simd) {
    case SimdOperation::pass:
      value = a;
      break;
    case SimdOperation::absdiff:
      value = a - b < 0 ? b - a : a - b;
      break;
    case SimdOperation::add:
      value = a + b;
      break;
    case SimdOperation::subtract:
      value = a - b;
      break;
    case SimdOperation::minimum:
      value = a - b < 0 ? a : b;
      break;
    case SimdOperation::maximum:
      value = a - b < 0 ? b : a;
      break;
    case SimdOperation::bitwise_and:
      value = a & b;
      break;
    case SimdOperation::bitwise_or:
      value = a | b;
      break;
    case SimdOperation::bitwise_xor:
      value = a ^ b;
      break;
    case SimdOperation::bitwise_not:
      value = ~a & 0xff;
      break;
    case SimdOperation::threshold: {
      const bool holds = job.inside ? a - job.lower >= 0 && job.upper - a >= 0 : job.upper - a < 0;
      value = holds ? job.true_value : job.false_value;
      break;
    }
    case SimdOperation::multiply:
      value = product < 0 ? -(-product >> job.simd_shift) : product >> job.simd_shift;
      break;
    case SimdOperation::accumulate_square:
      value = b + (std::int64_t{a} * a >> job.simd_shift);
      break;
    case SimdOperation::accumulate_weighted:
      value = ((256 - job.alpha) * std::int64_t{b} + job.alpha * std::int64_t{a}) >> 8;
      break;
  }
  if (!job.wraps) return static_cast<std::int32_t>(std::clamp<std::int64_t>(value, job.simd_low, job.simd_high));
  const std::int64_t span = std::int64_t{job.simd_high} - job.simd_low + 1;
  const std::int64_t above = (value - job.simd_low) % span;
  return static_cast<std::int32_t>(job.simd_low + (above < 0 ? above + span : above));
}

}  // namespace fansim::vision

// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/hardware/median_unit.h"

#include <algorithm>
#include <array>

namespace fansim::vision {

MedianUnit::MedianUnit(const sc_core::sc_module_name& name, const Config& config)
    : Module(name),
      samples_(config.pixels.samples),
      network_(config.median.exchanges()),
      lines_(config.pixels, config.median.kernel),
      pipeline_(config.median.latency()) {}

void MedianUnit::step() {
  if (const PixelBeat* beat = pipeline_.leaving(now())) {
    if (!out.can_push()) violation("a result was refused");
    out.push(*beat);
    pipeline_.leave();
    ++beats_;
  }
  if (start.can_pop()) {
    job_ = start.pop().job;
    lines_.begin(*job_, UnitCode::median);
  }
  if (in.can_pop()) {
    if (lines_.step(in.pop().samples)) compute(pipeline_.enter(now()));
  } else if (in.empty() && start.empty() && pipeline_.empty()) {
    sleep();
  }
}

void MedianUnit::compute(PixelBeat& beat) {
  std::array<std::int32_t, 25> values;
  const int window = job_->median.kernel * job_->median.kernel;
  // As many of the lowest value as of the highest leave the median where it is.
  for (std::size_t i = static_cast<std::size_t>(window); i < values.size(); ++i)
    values[i] = i % 2 == 0 ? INT16_MIN : UINT16_MAX;
  for (int lane = 0; lane < samples_; ++lane) {
    lines_.window(lane, values.data());
    std::int32_t& result = beat.samples[static_cast<std::size_t>(lane)];
    if (job_->median_operation == MedianOperation::median) {
      std::array<std::int32_t, 25> sorted = values;
      for (const arith::Exchange& e : network_.exchanges) {
        const std::int32_t low = sorted[e.low], high = sorted[e.high];
        const bool exchanged = high - low < 0;
        sorted[e.low] = exchanged ? high : low;
        sorted[e.high] = exchanged ? low : high;
      }
      result = sorted[static_cast<std::size_t>(network_.median)];
      exchanges_ += static_cast<std::int64_t>(network_.exchanges.size());
    } else {
      const bool largest = job_->median_operation == MedianOperation::largest;
      result = values[0];
      for (int i = 1; i < window; ++i) {
        const std::int32_t value = values[static_cast<std::size_t>(i)];
        if ((value - result > 0) == largest) result = value;
      }
      exchanges_ += window - 1;
    }
  }
}

}  // namespace fansim::vision

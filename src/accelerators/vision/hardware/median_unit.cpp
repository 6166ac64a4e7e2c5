// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/hardware/median_unit.h"

#include "accelerators/vision/hardware/lanes.h"

namespace fansim::vision {

MedianUnit::MedianUnit(const sc_core::sc_module_name& name, const Config& config)
    : Module(name),
      samples_(config.pixels.samples),
      network_(config.median.exchanges()),
      lines_(config.pixels),
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
  const int window = job_->median.kernel * job_->median.kernel;
  const LaneWindows& windows = lines_.windows();
  if (job_->median_operation == MedianOperation::median) {
    exchange(windows, window, network_, beat.samples);
    exchanges_ += samples_ * static_cast<std::int64_t>(network_.exchanges.size());
  } else {
    extreme(windows, window, job_->median_operation == MedianOperation::largest, beat.samples);
    exchanges_ += std::int64_t{samples_} * (window - 1);
  }
}

}  // namespace fansim::vision

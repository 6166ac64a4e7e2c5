// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/hardware/filter_unit.h"

#include <numeric>

namespace fansim::vision {

FilterUnit::FilterUnit(const sc_core::sc_module_name& name, const Config& config)
    : Module(name),
      config_(config.filter),
      samples_(config.pixels.samples),
      lines_(config.pixels),
      pipeline_(config.filter.latency()) {}

void FilterUnit::step() {
  if (const PixelBeat* beat = pipeline_.leaving(now())) {
    if (!out.can_push()) violation("a result was refused");
    out.push(*beat);
    pipeline_.leave();
    ++beats_;
  }
  if (start.can_pop()) {
    job_ = start.pop().job;
    begin();
  }
  if (in.can_pop()) {
    if (lines_.step(in.pop().samples)) compute(pipeline_.enter(now()));
  } else if (in.empty() && start.empty() && pipeline_.empty()) {
    sleep();
  }
}

void FilterUnit::begin() {
  lines_.begin(*job_, UnitCode::filter);
  const int window = job_->filter.kernel * job_->filter.kernel;
  for (int bank = 0; bank < job_->results; ++bank) {
    const std::int32_t* weights = job_->weights.data() + bank * FilterConfig::kMaxWeights;
    const std::int32_t offset = job_->filter_offset ? 128 : 0;
    banks_[static_cast<std::size_t>(bank)] = {weights,
                                              window,
                                              config_.terms_of_chain(),
                                              offset,
                                              offset * std::accumulate(weights, weights + window, 0),
                                              job_->multiplier,
                                              job_->shift,
                                              job_->filter_signed ? INT16_MIN : 0,
                                              job_->filter_signed ? INT16_MAX : UINT8_MAX};
  }
}

void FilterUnit::compute(PixelBeat& beat) {
  const LaneWindows& windows = lines_.windows();
  for (int bank = 0; bank < job_->results; ++bank) {
    const FilterLanes& lanes = banks_[static_cast<std::size_t>(bank)];
    filter_lanes(lanes, windows, bank == 0 ? beat.samples : beat.second);
    maccs_ += std::int64_t{samples_} * lanes.window;
  }
}

}  // namespace fansim::vision

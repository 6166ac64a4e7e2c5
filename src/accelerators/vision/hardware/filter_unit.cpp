// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/hardware/filter_unit.h"

#include <algorithm>

#include "accelerators/vision/hardware/lanes.h"

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
  if (start.can_pop()) job_ = start.pop().job, begin();
  if (in.can_pop()) {
    if (lines_.step(in.pop().samples)) compute(pipeline_.enter(now()));
  } else if (in.empty() && start.empty() && pipeline_.empty()) {
    sleep();
  }
}

void FilterUnit::begin() {
  lines_.begin(*job_, UnitCode::filter);
  banks_ = job_->results;
  const int window = job_->filter.kernel * job_->filter.kernel;
  for (int bank = 0; bank < banks_; ++bank) {
    std::int32_t sum = 0;
    for (int i = 0; i < window; ++i)
      sum += job_->weights[static_cast<std::size_t>(bank * FilterConfig::kMaxWeights + i)];
    offset_[static_cast<std::size_t>(bank)] = job_->filter_offset ? 128 * sum : 0;
  }
}

void FilterUnit::compute(PixelBeat& beat) {
  const int window = job_->filter.kernel * job_->filter.kernel;
  FilterLanes lanes{lines_.windows(), nullptr, window, config_.terms_of_chain(), job_->filter_offset ? 128 : 0, 0};
  for (int bank = 0; bank < banks_; ++bank) {
    lanes.weights = job_->weights.data() + bank * FilterConfig::kMaxWeights;
    lanes.start = offset_[static_cast<std::size_t>(bank)];
    Samples sums;
    filter_sums(lanes, sums);
    finish(sums);
    std::copy_n(sums.begin(), samples_, (bank == 0 ? beat.samples : beat.second).begin());
  }
  maccs_ += std::int64_t{samples_} * window * banks_;
}

void FilterUnit::finish(Samples& sums) const {
  const std::int32_t low = job_->filter_signed ? INT16_MIN : 0, high = job_->filter_signed ? INT16_MAX : UINT8_MAX;
  if (job_->multiplier == 1 && job_->shift < 31) return scale(sums, job_->shift, low, high);
  for (std::int32_t& sum : sums) {
    const std::int64_t magnitude = (sum < 0 ? -std::int64_t{sum} : std::int64_t{sum}) * job_->multiplier >> job_->shift;
    sum = static_cast<std::int32_t>(std::clamp<std::int64_t>(sum < 0 ? -magnitude : magnitude, low, high));
  }
}

}  // namespace fansim::vision

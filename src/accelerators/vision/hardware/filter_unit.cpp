// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/hardware/filter_unit.h"

#include <algorithm>

#include "arith/fixed.h"

namespace fansim::vision {
namespace {

constexpr int kShift = contract::DualInt8Config{}.shift;

struct Pair {
  std::int32_t high = 0, low = 0;
};

// The chain's last P register taken apart: the low sum, sign-extended, and the high one with its borrow given back.
Pair apart(std::int64_t p) {
  const std::int64_t low = arith::wrap(p, kShift);
  return {static_cast<std::int32_t>((p - low) >> kShift), static_cast<std::int32_t>(low)};
}

}  // namespace

FilterUnit::FilterUnit(const sc_core::sc_module_name& name, const Config& config)
    : Module(name),
      config_(config.filter),
      samples_(config.pixels.samples),
      lines_(config.pixels, config.filter.kernel),
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
  const int terms = config_.terms_of_chain();
  const std::int32_t offset = job_->filter_offset ? 128 : 0;
  std::array<std::int32_t, FilterConfig::kMaxWeights> high, low;
  for (int lane = 0; lane < samples_; lane += 2) {
    lines_.window(lane, low.data());
    const bool both = lane + 1 < samples_;
    if (both) lines_.window(lane + 1, high.data());
    for (int i = 0; i < window; ++i) {
      const auto at = static_cast<std::size_t>(i);
      low[at] -= offset;
      high[at] = both ? high[at] - offset : 0;
    }
    for (int bank = 0; bank < banks_; ++bank) {
      const std::int32_t* weights = job_->weights.data() + bank * FilterConfig::kMaxWeights;
      Pair sum{offset_[static_cast<std::size_t>(bank)], offset_[static_cast<std::size_t>(bank)]};
      for (int first = 0; first < window; first += terms) {
        std::int64_t p = 0;
        for (int i = first; i < std::min(window, first + terms); ++i) {
          const auto at = static_cast<std::size_t>(i);
          p += (std::int64_t{high[at]} * (1 << kShift) + low[at]) * weights[i];
        }
        const Pair part = apart(p);
        sum.high += part.high, sum.low += part.low;
      }
      Samples& results = bank == 0 ? beat.samples : beat.second;
      results[static_cast<std::size_t>(lane)] = finished(sum.low);
      if (both) results[static_cast<std::size_t>(lane) + 1] = finished(sum.high);
    }
  }
  maccs_ += std::int64_t{samples_} * window * banks_;
}

std::int32_t FilterUnit::finished(std::int32_t sum) const {
  const std::int64_t magnitude = (sum < 0 ? -std::int64_t{sum} : std::int64_t{sum}) * job_->multiplier >> job_->shift;
  const std::int64_t value = sum < 0 ? -magnitude : magnitude;
  return static_cast<std::int32_t>(job_->filter_signed ? std::clamp<std::int64_t>(value, INT16_MIN, INT16_MAX)
                                                       : std::clamp<std::int64_t>(value, 0, UINT8_MAX));
}

}  // namespace fansim::vision

// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/hardware/line_window.h"

#include <algorithm>

namespace fansim::vision {

void LineWindow::begin(const Job& job, UnitCode unit) {
  job_ = job.window(unit);
  channels_ = job.channels;
  radius_ = job_.kernel / 2;
  row_steps_ = static_cast<int>(job.row_bytes) / (samples_ * job.sample_bytes);
  row_samples_ = row_steps_ * samples_;
  reach_ = base::ceil_div(radius_ * channels_, samples_);
  kept_ = (job_.kernel - 1) * row_samples_ + (2 * reach_ + 1) * samples_;
  at_ = kept_;
  raster_.assign(static_cast<std::size_t>(2 * kept_) + kMostSamples, 0);
  const int window = job_.kernel * job_.kernel;
  offsets_.clear();
  patched_offsets_.clear();
  for (int i = 0; i < window; ++i) {
    offsets_.push_back(i / job_.kernel * row_samples_ + i % job_.kernel * channels_);
    patched_offsets_.push_back(i * static_cast<int>(kMostSamples));
  }
  patched_.assign(static_cast<std::size_t>(window) * kMostSamples, 0);
  before_ = std::int64_t{radius_} * row_steps_ + reach_;
  row_ = 0;
  column_ = -1;
}

bool LineWindow::step(const Samples& samples) {
  if (at_ + samples_ > 2 * kept_) {
    std::copy_n(raster_.data() + at_ - kept_, kept_, raster_.data());
    at_ = kept_;
  }
  std::copy(samples.begin(), samples.end(), raster_.begin() + at_);
  at_ += samples_;
  if (before_ > 0) {
    --before_;
    return false;
  }
  if (++column_ == row_steps_) {
    column_ = 0;
    ++row_;
  }
  return true;
}

const LaneWindows& LineWindow::windows() {
  const bool direct = inside();
  if (!direct)
    for (int lane = 0; lane < samples_; ++lane) bordered(lane);
  windows_.first = direct ? oldest() + reach_ * samples_ - radius_ * channels_ : patched_.data();
  windows_.offsets = (direct ? offsets_ : patched_offsets_).data();
  windows_.samples = &lanes_;
  return windows_;
}

bool LineWindow::inside() const {
  if (job_.border == BorderCode::none) return true;
  const int sample = column_ * samples_, across = radius_ * channels_;
  const Region& image = job_.image;
  return row_ - radius_ >= image.top && row_ + radius_ < image.bottom && sample - across >= image.left &&
         sample + samples_ - 1 + across < image.right;
}

// Replaces values outside the image: by the constant, or by the value of the nearest row and pixel inside.
void LineWindow::bordered(int lane) {
  std::int32_t* to = patched_.data() + lane;
  const int sample = column_ * samples_ + lane;
  const Region& image = job_.image;
  const auto towards_zero = [](int d) { return d > 0 ? d - 1 : d + 1; };
  for (int dy = -radius_; dy <= radius_; ++dy) {
    int y = dy;
    while (y != 0 && (row_ + y < image.top || row_ + y >= image.bottom)) y = towards_zero(y);
    for (int dx = -radius_; dx <= radius_; ++dx) {
      int x = dx;
      while (x != 0 && (sample + x * channels_ < image.left || sample + x * channels_ >= image.right))
        x = towards_zero(x);
      const bool outside = x != dx || y != dy;
      *to = outside && job_.border == BorderCode::constant
                ? job_.border_value
                : value(y + radius_, (reach_ * samples_ + lane) + x * channels_);
      to += kMostSamples;
    }
  }
}

}  // namespace fansim::vision

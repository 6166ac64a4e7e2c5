// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/hardware/line_window.h"

#include <algorithm>

namespace fansim::vision {

LineWindow::LineWindow(const PixelsConfig& pixels, int max_kernel)
    : samples_(pixels.samples),
      capacity_(pixels.line_samples),
      lines_(static_cast<std::size_t>(std::max(0, max_kernel - 1) * pixels.line_samples)) {}

void LineWindow::begin(const Job& job, UnitCode unit) {
  job_ = job.window(unit);
  channels_ = job.channels;
  radius_ = job_.kernel / 2;
  row_steps_ = static_cast<int>(job.row_bytes) / (samples_ * job.sample_bytes);
  reach_ = base::ceil_div(radius_ * channels_, samples_);
  width_ = (2 * reach_ + 1) * samples_;
  history_.assign(static_cast<std::size_t>(job_.kernel * width_), 0);
  before_ = std::int64_t{radius_} * row_steps_ + reach_;
  write_ = 0;
  row_ = 0, column_ = -1;
}

bool LineWindow::step(const Samples& samples) {
  const int kernel = job_.kernel;
  const int at = write_ * samples_;
  for (int row = 0; row < kernel; ++row) {
    std::int32_t* registers = history_.data() + row * width_;
    std::copy(registers + samples_, registers + width_, registers);
    std::int32_t* fresh = registers + width_ - samples_;
    if (row == kernel - 1) {
      std::copy_n(samples.data(), samples_, fresh);
    } else {
      const std::int32_t* line = lines_.data() + row * capacity_ + at;
      std::copy_n(line, samples_, fresh);
    }
  }
  // Each line takes what the one below it gave.
  for (int row = 0; row < kernel - 1; ++row) {
    const std::int32_t* fresh = history_.data() + (row + 2) * width_ - samples_;
    std::copy_n(fresh, samples_, lines_.data() + row * capacity_ + at);
  }
  if (++write_ == row_steps_) write_ = 0;
  if (before_ > 0) {
    --before_;
    return false;
  }
  if (++column_ == row_steps_) column_ = 0, ++row_;
  return true;
}

void LineWindow::window(int lane, std::int32_t* values) const {
  const int sample = column_ * samples_ + lane;
  const Region& image = job_.image;
  const int across = radius_ * channels_;
  const bool inside = row_ - radius_ >= image.top && row_ + radius_ < image.bottom && sample - across >= image.left &&
                      sample + across < image.right;
  if (!inside && job_.border != BorderCode::none) return bordered(lane, values);
  const std::int32_t* first = history_.data() + reach_ * samples_ + lane - across;
  for (int row = 0; row < job_.kernel; ++row)
    for (int column = 0; column < job_.kernel; ++column) *values++ = first[row * width_ + column * channels_];
}

// What lies outside is taken one row or pixel nearer to the centre, until it is inside; or it is the constant.
void LineWindow::bordered(int lane, std::int32_t* values) const {
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
      *values++ = outside && job_.border == BorderCode::constant
                      ? job_.border_value
                      : value(y + radius_, (reach_ * samples_ + lane) + x * channels_);
    }
  }
}

}  // namespace fansim::vision

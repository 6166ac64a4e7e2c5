// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/config/tile_output.h"

#include <cmath>

namespace fansim::tiled {

TileOutput::TileOutput(const TiledJob& job, const arith::QuantiserFormat& format, int activation_bits)
    : job_(job),
      format_(format),
      lowest_(job.out_unsigned ? 0 : -(1 << (activation_bits - 1))),
      highest_(lowest_ + (1 << activation_bits) - 1) {}

std::int16_t TileOutput::value(std::int64_t sum, const ChannelParameters& parameters) const {
  return finish(job_.out_zero + arith::scaled(sum + parameters.bias, parameters.scale, parameters.shift, format_));
}

std::int16_t TileOutput::value(float sum, const ChannelParameters& parameters) const {
  const float rounded = std::floor((sum + parameters.float_bias) * parameters.float_scale + 0.5F);
  const auto low = static_cast<float>(lowest_ - job_.out_zero), high = static_cast<float>(highest_ - job_.out_zero);
  return finish(job_.out_zero + static_cast<int>(rounded > low ? std::min(rounded, high) : low));
}

std::int16_t TileOutput::finish(std::int64_t value) const {
  const std::int64_t saturated = std::clamp<std::int64_t>(value, lowest_, highest_);
  return static_cast<std::int16_t>(job_.instruction.relu() ? std::max<std::int64_t>(saturated, job_.out_zero)
                                                           : saturated);
}

void TileOutput::pool(const std::int16_t* map, const Region& part, const Region& out, std::int16_t* to) const {
  const int kernel = job_.pool_kernel, stride = job_.pool_stride, padding = job_.pool_padding;
  for (int y = out.row; y < out.row + out.rows; ++y) {
    for (int x = out.column; x < out.column + out.columns; ++x) {
      const int top = std::max(0, y * stride - padding - part.row);
      const int left = std::max(0, x * stride - padding - part.column);
      const int bottom = std::min(part.rows, y * stride - padding + kernel - part.row);
      const int right = std::min(part.columns, x * stride - padding + kernel - part.column);
      const std::int16_t* window = map + std::ptrdiff_t{top} * part.columns + left;
      *to++ = average() ? mean(sum(window, part.columns, bottom - top, right - left))
                        : maximum(window, part.columns, bottom - top, right - left);
    }
  }
}

std::int16_t TileOutput::maximum(const std::int16_t* window, int pitch, int rows, int columns) const {
  int largest = lowest_;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) largest = std::max<int>(largest, window[r * pitch + c]);
  return static_cast<std::int16_t>(largest);
}

// Values less the zero point; cells of the border add nothing.
std::int64_t TileOutput::sum(const std::int16_t* window, int pitch, int rows, int columns) const {
  std::int64_t sum = 0;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) sum += window[r * pitch + c] - job_.out_zero;
  return sum;
}

// Through the quantiser (docs/networks.md).
std::int16_t TileOutput::mean(std::int64_t sum) const {
  const int area = job_.pool_kernel * job_.pool_kernel;
  const std::int64_t mean = area == 1 ? sum : arith::scaled(sum, (65536 + area / 2) / area, 16, format_);
  return static_cast<std::int16_t>(std::clamp<std::int64_t>(job_.out_zero + mean, lowest_, highest_));
}

}  // namespace fansim::tiled

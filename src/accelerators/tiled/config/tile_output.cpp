// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/config/tile_output.h"

#include <cmath>
#include <limits>

#include "base/clones.h"

namespace fansim::tiled {

namespace {

int lowest(bool is_unsigned, int bits) { return is_unsigned ? 0 : -(1 << (bits - 1)); }
int highest(bool is_unsigned, int bits) { return lowest(is_unsigned, bits) + (1 << bits) - 1; }

// Converts sums of one channel to codes.
struct Scaling {
  ChannelParameters channel;
  arith::QuantiserFormat format;
  std::int64_t zero, least, highest;

  std::int64_t code(std::int64_t sum) const {
    const std::int64_t scaled = arith::scaled(sum + channel.bias, channel.scale, channel.shift, format);
    return std::max(least, std::min(highest, zero + scaled));
  }
};

FANSIM_CLONES void scale(const Scaling& given, const std::int64_t* sums, int count, std::int16_t* to) {
  const Scaling scaling = given;
  for (int i = 0; i < count; ++i) to[i] = static_cast<std::int16_t>(scaling.code(sums[i]));
}

}  // namespace

TileOutput::TileOutput(const TiledJob& job, const arith::QuantiserFormat& format, int activation_bits,
                       const LookUp& look_up)
    : job_(job),
      format_(format),
      look_up_(look_up),
      lowest_(lowest(job.out_unsigned != 0, activation_bits)),
      highest_(highest(job.out_unsigned != 0, activation_bits)),
      zero_(job.instruction.looks_up() ? look_up.zero_point : job.out_zero),
      least_code_(std::max(job.instruction.looks_up() ? lowest(look_up.is_unsigned != 0, activation_bits) : lowest_,
                           job.instruction.relu() ? zero_ : std::numeric_limits<int>::min())),
      highest_code_(job.instruction.looks_up() ? highest(look_up.is_unsigned != 0, activation_bits) : highest_) {}

std::int16_t TileOutput::value(std::int64_t sum, const ChannelParameters& parameters) const {
  return answer(Scaling{parameters, format_, zero_, least_code_, highest_code_}.code(sum));
}

void TileOutput::values(const std::int64_t* sums, int count, const ChannelParameters& parameters,
                        std::int16_t* to) const {
  scale({parameters, format_, zero_, least_code_, highest_code_}, sums, count, to);
  if (!job_.instruction.looks_up()) return;
  for (int i = 0; i < count; ++i) to[i] = answer(to[i]);
}

std::int16_t TileOutput::value(float sum, const ChannelParameters& parameters) const {
  const float rounded = std::floor((sum + parameters.float_bias) * parameters.float_scale + 0.5F);
  const auto low = static_cast<float>(least_code_ - zero_), high = static_cast<float>(highest_code_ - zero_);
  return answer(zero_ + static_cast<int>(rounded > low ? std::min(rounded, high) : low));
}

void TileOutput::values(const float* sums, int count, const ChannelParameters& parameters, std::int16_t* to) const {
  for (int i = 0; i < count; ++i) to[i] = value(sums[i], parameters);
}

std::int16_t TileOutput::answer(std::int64_t code) const {
  if (!job_.instruction.looks_up()) return static_cast<std::int16_t>(code);
  const std::uint8_t entry = look_up_.table[static_cast<std::uint8_t>(code)];
  return job_.out_unsigned ? entry : static_cast<std::int8_t>(entry);
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

// Sums values less the zero point; cells of the border add nothing.
std::int64_t TileOutput::sum(const std::int16_t* window, int pitch, int rows, int columns) const {
  std::int64_t sum = 0;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) sum += window[r * pitch + c] - job_.out_zero;
  return sum;
}

// The mean passes the quantiser (docs/networks.md).
std::int16_t TileOutput::mean(std::int64_t sum) const {
  const int area = job_.pool_kernel * job_.pool_kernel;
  const std::int64_t mean = area == 1 ? sum : arith::scaled(sum, (65536 + area / 2) / area, 16, format_);
  return static_cast<std::int16_t>(std::clamp<std::int64_t>(job_.out_zero + mean, lowest_, highest_));
}

}  // namespace fansim::tiled

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
  arith::Requantise q;
  bool relu;
  std::int64_t least, highest;

  std::int64_t operand(std::int64_t exact) const {
    return arith::saturate(arith::wrap(exact, format.accumulator_bits), format.operand_bits);
  }
  std::int64_t code(std::int64_t operand) const {
    return q.zero_point + arith::round_shift(operand * channel.scale, channel.shift, format.rounding);
  }
};

// Counts in the same loop the codes that saturate, and whether a register did not hold a sum.
FANSIM_CLONES void scale(const Scaling& given, const std::int64_t* sums, int count, std::int16_t* to,
                         arith::Saturation& seen) {
  const Scaling scaling = given;
  const std::int64_t end = scaling.relu ? std::numeric_limits<std::int64_t>::min() : scaling.least;
  std::int64_t beyond = 0, clipped = 0, most = std::numeric_limits<std::int64_t>::min(), least = -(most + 1);
  for (int i = 0; i < count; ++i) {
    const std::int64_t exact = sums[i] + scaling.channel.bias, operand = scaling.operand(exact);
    const std::int64_t code = scaling.code(operand);
    to[i] = static_cast<std::int16_t>(std::max(scaling.least, std::min(scaling.highest, code)));
    beyond |= operand ^ exact;
    clipped += (code > scaling.highest) + (code < end);
    most = std::max(most, code);
    least = std::min(least, code);
  }
  if (clipped > 0) seen.output.add(std::max(most - scaling.highest, scaling.relu ? 0 : scaling.least - least), clipped);
  if (beyond == 0) return;
  for (int i = 0; i < count; ++i)
    arith::count_registers(sums[i] + scaling.channel.bias, scaling.q, scaling.format, scaling.relu, seen);
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
      highest_code_(job.instruction.looks_up() ? highest(look_up.is_unsigned != 0, activation_bits) : highest_),
      unsigned_code_((job.instruction.looks_up() ? look_up.is_unsigned : job.out_unsigned) != 0),
      bits_(activation_bits) {}

std::int16_t TileOutput::value(std::int64_t sum, const ChannelParameters& parameters, arith::Saturation& seen) const {
  std::int16_t code = 0;
  values(&sum, 1, parameters, &code, seen);
  return code;
}

void TileOutput::values(const std::int64_t* sums, int count, const ChannelParameters& parameters, std::int16_t* to,
                        arith::Saturation& seen) const {
  const arith::Requantise q{parameters.scale, parameters.shift, zero_, unsigned_code_, bits_};
  scale({parameters, format_, q, job_.instruction.relu(), least_code_, highest_code_}, sums, count, to, seen);
  if (!job_.instruction.looks_up()) return;
  for (int i = 0; i < count; ++i) to[i] = answer(to[i]);
}

std::int16_t TileOutput::value(float sum, const ChannelParameters& parameters, arith::Saturation& seen) const {
  constexpr float kBeyond = 1 << 20;  // beyond any type
  const float rounded = std::floor((sum + parameters.float_bias) * parameters.float_scale + 0.5F);
  const auto low = static_cast<float>(least_code_ - zero_), high = static_cast<float>(highest_code_ - zero_);
  if (rounded > high) seen.output.add(static_cast<std::int64_t>(std::min(rounded, kBeyond) - high));
  if (rounded < low && !job_.instruction.relu())
    seen.output.add(static_cast<std::int64_t>(low - std::max(rounded, -kBeyond)));
  return answer(zero_ + static_cast<int>(rounded > low ? std::min(rounded, high) : low));
}

void TileOutput::values(const float* sums, int count, const ChannelParameters& parameters, std::int16_t* to,
                        arith::Saturation& seen) const {
  for (int i = 0; i < count; ++i) to[i] = value(sums[i], parameters, seen);
}

std::int16_t TileOutput::answer(std::int64_t code) const {
  if (!job_.instruction.looks_up()) return static_cast<std::int16_t>(code);
  const std::uint8_t entry = look_up_.table[static_cast<std::uint8_t>(code)];
  return job_.out_unsigned ? entry : static_cast<std::int8_t>(entry);
}

void TileOutput::pool(const std::int16_t* map, const Region& part, const Region& out, std::int16_t* to,
                      arith::Saturation& seen) const {
  const int kernel = job_.pool_kernel, stride = job_.pool_stride, padding = job_.pool_padding;
  for (int y = out.row; y < out.row + out.rows; ++y) {
    for (int x = out.column; x < out.column + out.columns; ++x) {
      const int top = std::max(0, y * stride - padding - part.row);
      const int left = std::max(0, x * stride - padding - part.column);
      const int bottom = std::min(part.rows, y * stride - padding + kernel - part.row);
      const int right = std::min(part.columns, x * stride - padding + kernel - part.column);
      const std::int16_t* window = map + std::ptrdiff_t{top} * part.columns + left;
      *to++ = average() ? mean(sum(window, part.columns, bottom - top, right - left), seen)
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
std::int16_t TileOutput::mean(std::int64_t sum, arith::Saturation& seen) const {
  const int area = job_.pool_kernel * job_.pool_kernel;
  const arith::Requantise q{(65536 + area / 2) / area, 16, job_.out_zero, job_.out_unsigned != 0, bits_};
  if (area > 1) arith::count(sum, q, format_, false, seen);
  const std::int64_t mean = area == 1 ? sum : arith::scaled(sum, q.scale, q.shift, format_);
  return static_cast<std::int16_t>(std::clamp<std::int64_t>(job_.out_zero + mean, lowest_, highest_));
}

}  // namespace fansim::tiled

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <vector>

#include "openvx/image_type.h"

namespace fansim::openvx {
namespace {

constexpr double kPi = 3.14159265358979323846;

// Returns what a window sees at any place of an image and its border.
std::int32_t seen(const Image& image, const Stage& stage, int channel, int y, int x) {
  const bool inside = y >= 0 && y < image.of.height && x >= 0 && x < image.of.width;
  if (!inside && stage.border == Border::constant) return stage.border_value;
  return image.at(channel, std::clamp(y, 0, image.of.height - 1), std::clamp(x, 0, image.of.width - 1));
}

std::vector<std::int32_t> window(const Image& image, const Stage& stage, int channel, int y, int x) {
  std::vector<std::int32_t> values;
  for (int dy = -stage.radius(); dy <= stage.radius(); ++dy)
    for (int dx = -stage.radius(); dx <= stage.radius(); ++dx)
      values.push_back(seen(image, stage, channel, y + dy, x + dx));
  return values;
}

std::int64_t filtered(const std::vector<std::int32_t>& values, const Stage& stage, int filter) {
  std::int64_t sum = 0;
  const std::size_t first = values.size() * static_cast<std::size_t>(filter);
  for (std::size_t i = 0; i < values.size(); ++i) sum += std::int64_t{values[i]} * stage.weights[first + i];
  return sum / stage.divisor;
}

// Returns the nearest value of the type, or the value modulo its width.
std::int32_t brought_to(base::DataType type, std::int64_t value, bool wraps) {
  const auto lowest = static_cast<std::int64_t>(base::facts(type).lowest);
  const auto highest = static_cast<std::int64_t>(base::facts(type).highest);
  if (!wraps) return static_cast<std::int32_t>(std::clamp(value, lowest, highest));
  const std::int64_t values = highest - lowest + 1;
  while (value < lowest) value += (lowest - value + values - 1) / values * values;
  return static_cast<std::int32_t>((value - lowest) % values + lowest);
}

std::int64_t of_two(const Stage& stage, std::int64_t a, std::int64_t b) {
  switch (stage.function) {
    case Function::absdiff:
      return std::abs(a - b);
    case Function::accumulate:
      return b + a;
    case Function::accumulate_square:
      return b + a * a / (std::int64_t{1} << stage.shift);
    case Function::accumulate_weighted:
      return (std::int64_t{256 - stage.alpha} * b + std::int64_t{stage.alpha} * a) / 256;
    case Function::add:
      return a + b;
    case Function::subtract:
      return a - b;
    case Function::multiply:
      return a * b / (std::int64_t{1} << stage.shift);
    case Function::minimum:
      return std::min(a, b);
    case Function::maximum:
      return std::max(a, b);
    case Function::bitwise_and:
      return a & b;
    case Function::bitwise_or:
      return a | b;
    case Function::bitwise_xor:
      return a ^ b;
    default:
      return a;
  }
}

std::int64_t of_one(const Stage& stage, std::int64_t a) {
  if (stage.function == Function::bitwise_not) return 255 - a;
  const bool holds = stage.range ? a >= stage.lower && a <= stage.upper : a > stage.upper;
  return holds ? stage.true_value : stage.false_value;
}

std::int64_t windowed(const Stage& stage, const Image& in, int channel, int y, int x) {
  const int inset = stage.border == Border::valid ? stage.radius() : 0;
  std::vector<std::int32_t> values = window(in, stage, channel / stage.filters(), y + inset, x + inset);
  switch (stage.function) {
    case Function::dilate3x3:
      return *std::max_element(values.begin(), values.end());
    case Function::erode3x3:
      return *std::min_element(values.begin(), values.end());
    case Function::median3x3:
    case Function::median5x5:
      std::sort(values.begin(), values.end());
      return values[values.size() / 2];
    default:
      return filtered(values, stage, channel % stage.filters());
  }
}

std::int64_t on_the_host(const Stage& stage, const Image& in, const Image* with, int channel, int y, int x) {
  switch (stage.function) {
    case Function::magnitude: {
      const double gx = in.at(2 * channel, y, x), gy = in.at(2 * channel + 1, y, x);
      return std::llround(std::sqrt(gx * gx + gy * gy));
    }
    case Function::phase: {
      const double gx = in.at(2 * channel, y, x), gy = in.at(2 * channel + 1, y, x);
      double turn = std::atan2(gy, gx) / (2 * kPi);
      if (turn < 0) turn += 1;
      return std::llround(turn * 256) % 256;
    }
    case Function::channel_extract:
      return in.at(stage.channel, y, x);
    case Function::channel_combine:
      return channel < in.of.channels ? in.at(channel, y, x) : with->at(channel - in.of.channels, y, x);
    case Function::color_convert:
      return (77 * in.at(0, y, x) + 150 * in.at(1, y, x) + 29 * in.at(2, y, x) + 128) / 256;
    default:
      return in.at(channel, 2 * y, 2 * x);  // Function::half_scale
  }
}

}  // namespace

void compute(const Stage& stage, const Image& in, const Image* with, Image& out) {
  const Facts& function = facts(stage.function);
  if (stage.function == Function::picture) {
    out.values = *stage.pixels;
    return;
  }
  for (int channel = 0; channel < out.of.channels; ++channel)
    for (int y = 0; y < out.of.height; ++y)
      for (int x = 0; x < out.of.width; ++x) {
        std::int64_t value = 0;
        if (function.windowed())
          value = windowed(stage, in, channel, y, x);
        else if (function.unit == Facts::Unit::host)
          value = on_the_host(stage, in, with, channel, y, x);
        else if (with)
          value = of_two(stage, in.at(channel, y, x), with->at(channel, y, x));
        else
          value = of_one(stage, in.at(channel, y, x));
        out.at(channel, y, x) = brought_to(out.of.type, value, stage.wraps);
      }
}

}  // namespace fansim::openvx
